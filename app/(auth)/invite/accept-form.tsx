"use client";

import "@/components/ui/fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { NewPasswordField } from "@/components/ui/fields/new-password-field";
import { TextField } from "@/components/ui/fields/text-field";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";
import { paths } from "@/lib/console/paths";
import { type InviteAcceptance, inviteAcceptance } from "@/lib/contract/operations/sign-in/sign-in";
import { acceptInvite } from "./actions";
import { NoInvitation } from "./no-invitation";

type AcceptFormProps = { token: string; email: string; signedInAs: string | null };

export function AcceptForm({ token, email, signedInAs }: AcceptFormProps) {
  const router = useRouter();
  const form = useForm<InviteAcceptance>({
    mode: "onTouched",
    resolver: standardSchemaResolver(inviteAcceptance),
    defaultValues: { token, name: "", password: "" },
  });
  const accept = useAction(acceptInvite, {
    onSuccess: () => router.replace(paths.overview()),
    onError: ({ problem }) => showProblem(form, ["name", "password"], problem),
  });
  const problem = accept.error?.problem;
  // Another tab may have accepted the invitation meanwhile.
  if (problem?.fields.token) return <NoInvitation problem={problem} retry={null} isPending={false} />;

  const isEntering = accept.isPending || accept.isSuccess;
  const refusal = form.formState.errors.root?.message;
  return (
    <ScriptForm className="grid gap-4" onSubmit={form.handleSubmit((values) => accept.mutate(values))}>
      {signedInAs && !isEntering && (
        <Notice tone="near" title={`You are signed in as ${signedInAs}`}>
          Accepting signs you in as {email} in this browser instead.
        </Notice>
      )}
      {refusal && (
        <Notice tone="bad" role="alert" title="Not accepted">
          {refusal}
        </Notice>
      )}
      {/* Tells password managers which account the password is for. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <TextField
        control={form.control}
        name="name"
        label="Your name"
        autoComplete="name"
        maxLength={100}
        help="As others in the organization will see it."
      />
      <NewPasswordField control={form.control} name="password" label="Password" />
      <Button type="submit" variant="primary" pending={isEntering} className="h-9 w-full">
        Accept and sign in
      </Button>
    </ScriptForm>
  );
}
