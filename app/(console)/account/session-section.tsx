"use client";

import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { sessionsRead } from "./account-reads";
import { endOtherSessions } from "./actions";
import { SessionList } from "./session-list";

/** The person's own sessions. */
export function SessionSection() {
  const sessions = useRead(...sessionsRead);
  const others = sessions.data?.data.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title="Sessions"
      description="Every place you are signed in. To end this one, sign out."
      actions={others > 0 && <EndOthers count={others} />}
    >
      <ReadState read={sessions} to="list the sessions" skeleton={<TableSkeleton rows={2} columns={4} />}>
        {({ data, has_more: hasMore }) => (
          <div>
            <SessionList sessions={data} />
            {hasMore && <FirstRowsNote shown={data.length} />}
          </div>
        )}
      </ReadState>
    </Section>
  );
}

function EndOthers({ count }: { count: number }) {
  return (
    <ConfirmedAction
      renderButton={(ask) => <Button onClick={ask}>End all others</Button>}
      title={count === 1 ? "End the other session?" : `End the ${count} other sessions?`}
      confirmLabel={count === 1 ? "End session" : "End sessions"}
      action={endOtherSessions}
      input={undefined}
      refetch={["listSessions"]}
      done={(ended) => (ended.count === 1 ? "The other session ended" : `${ended.count} sessions ended`)}
    >
      Whoever uses {count === 1 ? "it" : "them"} is signed out at once and must sign in again. Only the
      session you are looking at stays.
    </ConfirmedAction>
  );
}
