"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import type { TwoFactorDraft } from "@/lib/contract/operations/sign-in/two-factor";
import { startTwoFactor } from "../actions";
import { PasswordQuestion } from "../password-question";
import { AppStep } from "./app-step";
import { CodeStep } from "./code-step";

type TurnOnTwoFactorProps = { email: string; close: () => void };

/** Three steps: the password, the app and its backup codes, the app's first code. The last step turns it on. */
export function TurnOnTwoFactor({ email, close }: TurnOnTwoFactorProps) {
  const [draft, setDraft] = useState<TwoFactorDraft | null>(null);
  const [hasKept, setHasKept] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  if (!draft) {
    return (
      <PasswordQuestion
        name="two-factor-password"
        title="Turn on two-factor sign-in"
        description="Step 1 of 3. You need an authenticator app on your phone, such as Aegis or Google Authenticator."
        submit="Continue"
        action={startTwoFactor}
        refetch={["retrieveSignInSettings"]}
        onDone={setDraft}
        close={close}
      />
    );
  }
  const ask = () => setIsAsking(true);
  const asking = (
    <ConfirmDialog
      open={isAsking}
      onClose={() => setIsAsking(false)}
      onConfirm={close}
      title="Close without turning it on?"
      confirmLabel="Close"
    >
      Two-factor sign-in stays off. These backup codes won’t work, and you can delete the entry in your app.
    </ConfirmDialog>
  );
  if (!hasKept) {
    return (
      <AppStep draft={draft} email={email} close={ask} proceed={() => setHasKept(true)}>
        {asking}
      </AppStep>
    );
  }
  return (
    <Dialog
      open
      onClose={ask}
      title="Enter the code that the app shows"
      description="Step 3 of 3. It turns two-factor sign-in on, and ends your sessions everywhere but here."
    >
      <CodeStep
        back={() => setHasKept(false)}
        onTurnedOn={() => {
          toast({ message: "Two-factor sign-in is on. All your other sessions were ended." });
          close();
        }}
      />
      {asking}
    </Dialog>
  );
}
