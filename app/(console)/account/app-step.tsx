"use client";

import { type FormEvent, useId, useState } from "react";
import { Checkbox } from "@/components/form/checkbox";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import type { TwoFactorDraft } from "@/lib/contract/operations/two-factor";
import { BackupCodes } from "./backup-codes";
import { QrCode } from "./qr-code";

type AppStepProps = { draft: TwoFactorDraft; email: string; onKept: () => void };

/** What goes into the app, and the codes for the day the app is lost. Goes on once those are kept. */
export function AppStep({ draft, email, onKept }: AppStepProps) {
  const id = useId();
  const [isKept, setIsKept] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const secret = new URL(draft.otpauth_uri).searchParams.get("secret") ?? "";

  function goOn(event: FormEvent) {
    event.preventDefault();
    setIsMissing(!isKept);
    if (isKept) onKept();
    else document.getElementById(id)?.focus();
  }
  return (
    <form onSubmit={goOn} className="grid gap-6">
      <section aria-labelledby={`${id}-app`} className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <QrCode text={draft.otpauth_uri} label="QR code for the authenticator app" />
        <div className="grid min-w-0 flex-1 basis-64 gap-2">
          <h3 id={`${id}-app`} className="font-medium">
            Scan this with the app
          </h3>
          <p className="text-muted">
            Where you can’t scan, add an entry by hand: time-based, six digits, with this secret.
          </p>
          <div className="flex items-start gap-1">
            <code className="min-w-0 font-mono text-sm">{secret.match(/.{1,4}/g)?.join(" ")}</code>
            <CopyButton text={secret} what="secret" />
          </div>
        </div>
      </section>
      <BackupCodes codes={draft.backup_codes} email={email} />
      <div className="grid gap-1.5">
        <label
          htmlFor={id}
          className="flex w-fit cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11"
        >
          <Checkbox
            id={id}
            checked={isKept}
            aria-invalid={isMissing && !isKept ? true : undefined}
            aria-describedby={`${id}-error`}
            onChange={(event) => setIsKept(event.target.checked)}
          />
          I have kept them
        </label>
        <p id={`${id}-error`} role="alert" className="text-sm text-danger empty:hidden">
          {isMissing && !isKept && "Keep the backup codes first: without the app they are the only way in."}
        </p>
      </div>
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          Continue
        </Button>
      </div>
    </form>
  );
}
