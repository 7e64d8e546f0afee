import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/links/link-button";
import { Notice } from "@/components/ui/notice";
import type { Problem } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";

type NoInvitationProps = {
  /** Null if the page was opened without a token. */
  problem: Problem | null;
  retry: (() => void) | null;
  isPending: boolean;
};

/** Says why there is no invitation to accept, and who can help. */
export function NoInvitation({ problem, retry, isPending }: NoInvitationProps) {
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
