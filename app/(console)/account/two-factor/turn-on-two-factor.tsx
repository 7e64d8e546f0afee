"use client";

import { useState } from "react";
import { confirmTwoFactor, startTwoFactor } from "@/app/(console)/account/actions";
import { PasswordQuestion } from "@/app/(console)/account/sign-in-questions";
import { ConfirmDialog } from "@/components/ui/dialog/confirm-dialog";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import type { TwoFactorDraft } from "@/lib/contract/operations/sign-in/two-factor";
import { AppStep } from "./app-step";
import "@/components/ui/fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/fields/text-field";
import { Form } from "@/components/ui/form/form";
import { type AppCode, appCode } from "@/lib/contract/operations/sign-in/two-factor";

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

/** Apps show the digits in two groups, so people type or paste them with a space. */
const typedCode = z.strictObject({
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.replaceAll(/\s/g, "")),
    ),
    appCode.shape.code,
  ),
});

type CodeStepProps = { back: () => void; onTurnedOn: () => void };

export function CodeStep({ back, onTurnedOn }: CodeStepProps) {
  const form = useForm<AppCode>({
    resolver: standardSchemaResolver(typedCode),
    defaultValues: { code: "" },
  });
  const confirm = useAction(confirmTwoFactor, {
    refetch: ["retrieveSignInSettings", "listSessions"],
    onError: ({ problem }) => showProblem(form, ["code"], problem),
  });
  return (
    <Form
      form={form}
      name="two-factor-code"
      what="the code"
      isGuarded={false}
      labels={{ code: "Code" }}
      className="grid gap-5"
      onSubmit={(values) => confirm.mutate(values, { onSuccess: onTurnedOn })}
    >
      <TextField
        control={form.control}
        name="code"
        label="Code"
        mono
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        help="Six digits that change every 30 seconds."
      />
      <div className="flex justify-end gap-2">
        <Button onClick={back}>Back</Button>
        <Button type="submit" variant="primary" pending={confirm.isPending}>
          Turn on
        </Button>
      </div>
    </Form>
  );
}
