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
      <Form
        form={form}
        name="single-sign-on-off"
        what="the password"
        guarded={false}
        labels={{ password: "Password" }}
        className="grid gap-5"
        onSubmit={(values) => unlink.mutate(values)}
      >
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
        />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="danger" pending={unlink.isPending}>
            Unlink
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
