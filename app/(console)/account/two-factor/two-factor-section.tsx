"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Section } from "@/components/ui/section";
import { Status } from "@/components/ui/status";
import type { SignInSettings } from "@/lib/contract/operations/sign-in/two-factor";

const LOW_BACKUP_CODES = 3;

const TurnOnTwoFactor = loadOnClient(() =>
  import("./turn-on-two-factor").then((file) => file.TurnOnTwoFactor),
);
const TurnOffTwoFactor = loadOnClient(() =>
  import("./turn-off-two-factor").then((file) => file.TurnOffTwoFactor),
);

/** The dialogs are rendered outside of the state, which changes while they are open. */
export function TwoFactorSection({ settings }: { settings: SignInSettings }) {
  const [dialog, setDialog] = useState<"on" | "off" | null>(null);
  const close = () => setDialog(null);
  return (
    <Section
      title="Two-factor sign-in"
      description="When it is on, you sign in with your password and a six-digit code from an app on your phone."
    >
      <div className="flex max-w-[560px] flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border bg-surface px-4 py-3">
        <TwoFactorState settings={settings} />
        {settings.two_factor ? (
          <Button onClick={() => setDialog("off")}>Turn off</Button>
        ) : (
          settings.password && <Button onClick={() => setDialog("on")}>Turn on</Button>
        )}
      </div>
      {dialog === "on" && <TurnOnTwoFactor email={settings.email} close={close} />}
      {dialog === "off" && <TurnOffTwoFactor close={close} />}
    </Section>
  );
}

function TwoFactorState({ settings }: { settings: SignInSettings }) {
  const { two_factor: isOn, backup_codes_left: left, password } = settings;
  if (!isOn) {
    return (
      <div className="grid gap-0.5">
        <Status tone="neutral">Off</Status>
        {!password && <p className="text-sm text-muted">It requires a password, and you have none here.</p>}
      </div>
    );
  }
  return (
    <div className="grid gap-0.5">
      <Status tone="good">On</Status>
      {left !== null && (
        <p className="text-sm text-muted">
          {left === 1 ? "1 backup code" : `${left} backup codes`} left.
          {left <= LOW_BACKUP_CODES && " To get new ones, turn it off and on again."}
        </p>
      )}
    </div>
  );
}
