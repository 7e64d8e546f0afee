"use client";

import { useEffect } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { FormSkeleton } from "@/components/ui/states/skeleton";
import { NoScript } from "../no-script";
import { SignedOutScreen } from "../signed-out-screen";
import { useLinkToken } from "../use-link-token";
import { AcceptForm, NoInvitation } from "./accept-form";
import { previewInvite } from "./actions";

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
