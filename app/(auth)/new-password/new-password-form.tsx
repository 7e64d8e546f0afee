"use client";

import "@/components/ui/fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { NewPasswordField } from "@/components/ui/fields/password-field";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { paths } from "@/lib/console/paths";
import { passwordResetUse } from "@/lib/contract/operations/sign-in/passwords";
import { useLinkToken } from "../use-link-token";
import { setNewPassword } from "./actions";

const chosen = z.pick(passwordResetUse, { password: true });

/** Another link in the same tab is another form: what was said about the first doesn't concern it. */
export function NewPasswordForm() {
  const token = useLinkToken();
  return <FormOfLink key={token} token={token} />;
}

function FormOfLink({ token }: { token: ReturnType<typeof useLinkToken> }) {
  const router = useRouter();
  const form = useForm<z.output<typeof chosen>>({
    mode: "onTouched",
    resolver: standardSchemaResolver(chosen),
    defaultValues: { password: "" },
  });
  const set = useAction(setNewPassword, {
    onSuccess: () => router.replace(paths.signIn({ reason: "password-set" })),
    onError: ({ problem }) => showProblem(form, ["password"], problem),
  });
  if (token === undefined) {
    return (
      <div className="noscript:hidden">
        <FormSkeleton fields={1} />
      </div>
    );
  }
  if (token === null || set.error?.problem.fields.token) return <NoLink isSpent={token !== null} />;

  const refusal = form.formState.errors.root?.message;
  return (
    <ScriptForm
      className="grid gap-4"
      onSubmit={form.handleSubmit(({ password }) => set.mutate({ token, password }))}
    >
      {refusal && (
        <Notice tone="bad" role="alert" title="Not set">
          {refusal}
        </Notice>
      )}
      <NewPasswordField control={form.control} name="password" label="New password" />
      <Button type="submit" variant="primary" pending={set.isPending || set.isSuccess} className="h-9 w-full">
        Set password
      </Button>
    </ScriptForm>
  );
}

function NoLink({ isSpent }: { isSpent: boolean }) {
  return (
    <Notice
      tone={isSpent ? "bad" : "near"}
      role="alert"
      title={isSpent ? "This link no longer works" : "This link is incomplete"}
      actions={
        <>
          <LinkButton href={paths.forgotPassword()} size="small">
            Ask for a new link
          </LinkButton>
          <LinkButton href={paths.signIn()} size="small">
            Go to sign-in
          </LinkButton>
        </>
      }
    >
      {isSpent
        ? "It was already used, has expired (links are valid for an hour) or was replaced by a newer one."
        : "Open the complete link for your new password again, as it was sent to you."}
    </Notice>
  );
}
