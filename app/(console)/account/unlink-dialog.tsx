"use client";

import "@/app/queries/speak-plainly";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { showProblem } from "@/app/queries/show-problem";
import { useAction } from "@/app/queries/use-action";
import { FormErrors } from "@/components/form/form-errors";
import { PasswordField } from "@/components/form/password-field";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { type PasswordProof, passwordProof } from "@/lib/contract/operations/two-factor";
import { unlinkSingleSignOn } from "./actions";

export function UnlinkDialog({ provider, close }: { provider: string; close: () => void }) {
  const form = useForm<PasswordProof>({
    mode: "onTouched",
    resolver: standardSchemaResolver(passwordProof),
    defaultValues: { password: "" },
  });
  const unlink = useAction(unlinkSingleSignOn, {
    changes: ["retrieveSignInSettings"],
    onSuccess: () => {
      toast({ message: "Single sign-on unlinked" });
      close();
    },
    onError: ({ problem }) => showProblem(form, ["password"], problem),
  });
  return (
    <Dialog
      open
      onClose={close}
      title="Unlink single sign-on?"
      description={`You then sign in with your password. Unless you are an Owner, your verified address links you again the next time you sign in with ${provider}.`}
    >
      <form noValidate className="grid gap-5" onSubmit={form.handleSubmit((values) => unlink.mutate(values))}>
        <FormErrors form={form} labels={{ password: "Password" }} />
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
        />
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="danger" pending={unlink.isPending}>
            Unlink
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
