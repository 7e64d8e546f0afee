import { ConfirmedAction } from "@/app/queries/actions/confirmed-action";
import { RelativeTime } from "@/components/time/relative-time";
import { Button } from "@/components/ui/button";
import { describeDevice } from "@/components/values/describe-device";
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
