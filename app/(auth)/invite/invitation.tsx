"use client";

import { useEffect } from "react";
import { NoScript, SignedOutScreen } from "@/app/(auth)/signed-out-screen";
import { useLinkToken } from "@/app/(auth)/use-link-token";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { acceptInvite, previewInvite } from "./actions";
import "@/components/ui/fields/install-plain-messages";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { NewPasswordField } from "@/components/ui/fields/password-field";
import { TextField } from "@/components/ui/fields/text-field";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import { type InviteAcceptance, inviteAcceptance } from "@/lib/contract/operations/sign-in/sign-in";

type InvitationProps = {
  /** The person signed in in this browser; null if there is none. */
  signedInAs: string | null;
};

export function Invitation(props: InvitationProps) {
  const token = useLinkToken();
  // Another link in the same tab is another invitation, whatever is still read of the first.
  return <OneInvitation key={token} token={token} {...props} />;
}

type OneInvitationProps = InvitationProps & { token: ReturnType<typeof useLinkToken> };

function OneInvitation({ token, signedInAs }: OneInvitationProps) {
  const preview = useAction(previewInvite);
  const { mutate } = preview;
  useEffect(() => {
    if (token) mutate({ token });
  }, [token, mutate]);

  if (token && preview.data) {
    const { organization, role, email } = preview.data;
    return (
      <SignedOutScreen
        title={`Join ${organization.name}`}
        logo={organization.logo ?? null}
        sentence={
          <>
            {organization.name} invites you as <strong className="font-medium text-foreground">{role}</strong>
            . You will sign in as <strong className="font-medium break-words text-foreground">{email}</strong>
            .
          </>
        }
      >
        <AcceptForm token={token} email={email} signedInAs={signedInAs} />
      </SignedOutScreen>
    );
  }
  return (
    <SignedOutScreen title="Invitation">
      <NoScript />
      {token === null || preview.error ? (
        <NoInvitation
          problem={preview.error?.problem ?? null}
          retry={token ? () => mutate({ token }) : null}
          isPending={preview.isPending}
        />
      ) : (
        <div className="noscript:hidden">
          <FormSkeleton fields={3} />
        </div>
      )}
    </SignedOutScreen>
  );
}

type AcceptFormProps = { token: string; email: string; signedInAs: string | null };

function AcceptForm({ token, email, signedInAs }: AcceptFormProps) {
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

type NoInvitationProps = {
  /** Null if the page was opened without a token. */
  problem: Problem | null;
  retry: (() => void) | null;
  isPending: boolean;
};

/** Says why there is no invitation to accept, and who can help. */
function NoInvitation({ problem, retry, isPending }: NoInvitationProps) {
  const signIn = (
    <LinkButton href={paths.signIn()} size="small">
      Go to sign-in
    </LinkButton>
  );
  if (!problem) {
    return (
      <Notice tone="near" role="alert" title="This link is incomplete" actions={signIn}>
        Open the complete link of your invitation again, as it was sent to you.
      </Notice>
    );
  }
  if (problem.code === "invalid") {
    return (
      <Notice tone="bad" role="alert" title="This invitation no longer works" actions={signIn}>
        It was accepted already, has expired or was withdrawn. If you accepted it, sign in. Otherwise ask
        whoever sent it, or another administrator of your organization, for a new one.
      </Notice>
    );
  }
  return (
    <Notice
      tone="bad"
      role="alert"
      title="The invitation could not be opened"
      actions={
        retry && (
          <Button size="small" onClick={retry} pending={isPending}>
            Try again
          </Button>
        )
      }
    >
      {problem.message} The link is still good.
    </Notice>
  );
}
