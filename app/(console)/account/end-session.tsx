import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { describeDevice } from "@/components/ui/values/describe-device";
import type { OpenSession } from "@/lib/contract/operations/sign-in/sessions";
import { endSession } from "./actions";

export function EndSession({ session }: { session: OpenSession }) {
  const device = describeDevice(session.user_agent);
  return (
    <ConfirmedAction
      renderButton={(ask) => (
        <Button size="small" aria-label={`End session of ${device}`} onClick={ask}>
          End session
        </Button>
      )}
      title={`End the session of ${device}?`}
      confirmLabel="End session"
      action={endSession}
      input={{ sessionId: session.id }}
      refetch={["listSessions"]}
      done={() => `Session of ${device} ended`}
    >
      It was opened <RelativeTime at={session.created_at} />. Whoever uses it is signed out immediately and
      must sign in again.
    </ConfirmedAction>
  );
}
