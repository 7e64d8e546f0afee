import { ShownOnce } from "@/components/ui/text/shown-once";
import { formatExactTime } from "@/components/ui/time/describe-time";
import { paths } from "@/lib/console/paths";
import type { CreatedInvite } from "@/lib/contract/operations/people/invites";

type InvitedLinkProps = { invite: CreatedInvite; consoleOrigin: string | null; close: () => void };

/** Shows a new invitation's link once. */
export function InvitedLink({ invite, consoleOrigin, close }: InvitedLinkProps) {
  return (
    <ShownOnce
      title={`${invite.email} is invited`}
      description="Send them this link. It is shown only once. If the gateway has a mail server, they have been emailed it too."
      noun="link"
      text={`${consoleOrigin ?? window.location.origin}${paths.invite(invite.token)}`}
      loss="It can’t be shown again. If you lose it, withdraw the invitation and create a new one."
      close={close}
    >
      <p className="text-muted">
        It works once and expires in seven days: {formatExactTime(invite.expires_at)}. Anyone who opens it can
        choose a name and a password, and is a member then.
      </p>
    </ShownOnce>
  );
}
