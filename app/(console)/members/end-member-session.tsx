import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { describeDevice } from "@/components/ui/values/describe-device";
import type { User } from "@/lib/contract/operations/people/users";
import type { OpenSession } from "@/lib/contract/operations/sign-in/sessions";
import { endMemberSession } from "./actions";

export function EndMemberSession({ session, member }: { session: OpenSession; member: User }) {
  const device = describeDevice(session.user_agent);
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button size="small" onClick={ask} aria-label={`End the session in ${device}`}>
          End
        </Button>
      )}
      title={`End ${member.name}’s session in ${device}?`}
      confirmLabel="End session"
      action={endMemberSession}
      input={{ userId: member.id, sessionId: session.id }}
      refetch={["listUserSessions"]}
      done={() => `Session of ${member.name} ended`}
    >
      It is refused from the next request on, and unsaved input there is lost. {member.name} can sign in
      again. To prevent that, remove the member.
    </ConfirmedAction>
  );
}
