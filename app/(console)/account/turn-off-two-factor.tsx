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
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { type PasswordProof, passwordProof } from "@/lib/contract/operations/two-factor";
import { endTwoFactor } from "./actions";

export function TurnOffTwoFactor({ close }: { close: () => void }) {
  const form = useForm<PasswordProof>({
    mode: "onTouched",
    resolver: standardSchemaResolver(passwordProof),
    defaultValues: { password: "" },
  });
  const end = useAction(endTwoFactor, {
    changes: ["retrieveSignInSettings"],
    onError: ({ problem }) => showProblem(form, ["password"], problem),
  });
  function send(values: PasswordProof) {
    end.mutate(values, {
      onSuccess: () => {
        toast({ message: "Two-factor sign-in is off" });
        close();
      },
    });
  }
  return (
    <Dialog
      open
      onClose={close}
      title="Turn off two-factor sign-in?"
      description="Signing in then takes your password alone. The entry in your app and the backup codes are worth nothing afterwards."
    >
      <Form
        form={form}
        name="two-factor-off"
        what="the password"
        labels={{ password: "Password" }}
        className="grid gap-5"
        onSubmit={send}
      >
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
        />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="danger" pending={end.isPending}>
            Turn off
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
