"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useAction } from "@/app/queries/use-action";
import { Form } from "@/components/form/form";
import { PasswordField } from "@/components/form/password-field";
import { Button } from "@/components/ui/button";
import { CancelButton } from "@/components/ui/cancel-button";
import { type PasswordProof, passwordProof, type TwoFactorDraft } from "@/lib/contract/operations/two-factor";
import { startTwoFactor } from "./actions";

type PasswordStepProps = { onStarted: (draft: TwoFactorDraft) => void };

export function PasswordStep({ onStarted }: PasswordStepProps) {
  const form = useForm<PasswordProof>({
    mode: "onTouched",
    resolver: standardSchemaResolver(passwordProof),
    defaultValues: { password: "" },
  });
  const start = useAction(startTwoFactor, {
    changes: ["retrieveSignInSettings"],
    onError: ({ problem }) => showProblem(form, ["password"], problem),
    onSuccess: onStarted,
  });
  return (
    <Form
      form={form}
      name="two-factor-password"
      what="the password"
      labels={{ password: "Password" }}
      className="grid gap-5"
      onSubmit={(values) => start.mutate(values)}
    >
      <PasswordField
        control={form.control}
        name="password"
        label="Password"
        autoComplete="current-password"
        help="The one you sign in with: it shows that it is you."
      />
      <div className="flex justify-end gap-2">
        <CancelButton />
        <Button type="submit" variant="primary" pending={start.isPending}>
          Continue
        </Button>
      </div>
    </Form>
  );
}
