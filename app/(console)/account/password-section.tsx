"use client";

import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { NewPasswordField } from "@/components/ui/fields/new-password-field";
import { PasswordField } from "@/components/ui/fields/password-field";
import { Form } from "@/components/ui/form/form";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { type PasswordChange, passwordChange } from "@/lib/contract/operations/sign-in/passwords";
import type { SignInSettings } from "@/lib/contract/operations/sign-in/two-factor";
import { changePassword } from "./actions";

export function PasswordSection({ settings }: { settings: SignInSettings }) {
  return (
    <Section title="Password" description="Changing it ends your sessions everywhere but here.">
      {settings.password ? (
        <PasswordForm email={settings.email} />
      ) : (
        <p className="max-w-prose">
          You have no password here, since you use your organization’s single sign-on. To add one, ask an
          administrator for a link to set a password.
        </p>
      )}
    </Section>
  );
}

const empty: PasswordChange = { current_password: "", password: "" };

function PasswordForm({ email }: { email: string }) {
  const form = useNewForm(passwordChange, empty);
  const change = useAction(changePassword, {
    refetch: ["listSessions"],
    onError: ({ problem }) => showProblem(form, ["current_password", "password"], problem),
    onSuccess: () => form.reset(empty),
  });
  return (
    <Form
      form={form}
      name="new-password"
      what="the new password"
      labels={{ current_password: "Current password", password: "New password" }}
      className="grid max-w-[560px] gap-5"
      onSubmit={(values) => change.mutate(values)}
    >
      {change.isSuccess && !form.formState.isDirty && (
        <Notice tone="good" role="status" title="Password changed">
          All your other sessions were ended. Sign in there with the new password.
        </Notice>
      )}
      {/* Tells password managers which account the password is for. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        control={form.control}
        name="current_password"
        label="Current password"
        autoComplete="current-password"
      />
      <NewPasswordField control={form.control} name="password" label="New password" />
      <div>
        <Button type="submit" variant="primary" pending={change.isPending}>
          Change password
        </Button>
      </div>
    </Form>
  );
}
