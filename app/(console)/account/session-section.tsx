"use client";

import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { Badge } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { FirstRowsNote } from "@/components/ui/table/first-rows-note";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { describeDevice } from "@/components/ui/values/describe-device";
import type { OpenSession } from "@/lib/contract/operations/sign-in/sessions";
import { sessionsRead } from "./account-reads";
import { endOtherSessions, endSession } from "./actions";

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

const columns: readonly Column<OpenSession>[] = [
  {
    id: "device",
    header: "Device",
    apiName: "user_agent",
    cell: ({ user_agent, current }) => (
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-words" title={user_agent ?? undefined}>
          {describeDevice(user_agent)}
        </span>
        {current && <Badge>this session</Badge>}
      </span>
    ),
  },
  {
    id: "created",
    header: "Signed in",
    apiName: "created_at",
    width: "w-40",
    cell: (session) => <RelativeTime at={session.created_at} />,
  },
  {
    id: "used",
    header: "Last used",
    apiName: "last_used_at",
    width: "w-40",
    cell: (session) =>
      session.last_used_at === null ? (
        <span className="text-muted">not used since the gateway started</span>
      ) : (
        <RelativeTime at={session.last_used_at} />
      ),
  },
  {
    id: "expires",
    header: "Expires",
    apiName: "expires_at",
    width: "w-40",
    wide: true,
    cell: (session) => <RelativeTime at={session.expires_at} />,
  },
];

const ending: Column<OpenSession> = {
  id: "end",
  header: "End",
  width: "w-32",
  phone: "end",
  cell: (session) => !session.current && <EndSession session={session} />,
};

function SessionList({ sessions }: { sessions: readonly OpenSession[] }) {
  const hasOthers = sessions.some(({ current }) => !current);
  return (
    <DataTable
      caption="Your open sessions"
      columns={hasOthers ? [...columns, ending] : columns}
      rows={sessions}
      rowId={({ id }) => id}
    />
  );
}

function EndSession({ session }: { session: OpenSession }) {
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
