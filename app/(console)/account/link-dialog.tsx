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
import { type PasswordProof, passwordProof } from "@/lib/contract/operations/two-factor";
import { linkSingleSignOn } from "./actions";

/** The password first, then the provider's own page, which leads back here. */
export function LinkDialog({ provider, close }: { provider: string; close: () => void }) {
  const form = useForm<PasswordProof>({
    mode: "onTouched",
    resolver: standardSchemaResolver(passwordProof),
    defaultValues: { password: "" },
  });
  const link = useAction(linkSingleSignOn, {
    onSuccess: (url) => window.location.assign(url),
    onError: ({ problem }) => showProblem(form, ["password"], problem),
  });
  return (
    <Dialog
      open
      onClose={close}
      title={`Link single sign-on with ${provider}?`}
      description={`Your password shows that it is you. ${provider} then asks who you are there, and that identity is linked to you.`}
    >
      <Form
        form={form}
        name="single-sign-on-on"
        what="the password"
        guarded={false}
        labels={{ password: "Password" }}
        className="grid gap-5"
        onSubmit={(values) => link.mutate(values)}
      >
        <PasswordField
          control={form.control}
          name="password"
          label="Password"
          autoComplete="current-password"
        />
        <div className="flex justify-end gap-2">
          <CancelButton />
          <Button type="submit" variant="primary" pending={link.isPending || link.isSuccess}>
            Go on to {provider}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
