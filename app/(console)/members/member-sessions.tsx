"use client";

import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { memberReads } from "@/components/roles/member-reads";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { describeDevice } from "@/components/ui/values/describe-device";
import type { User } from "@/lib/contract/operations/people/users";
import type { OpenSession } from "@/lib/contract/operations/sign-in/sessions";
import { endMemberSession } from "./actions";

type MemberSessionsProps = { member: User; canEnd: boolean };

/** A member's sessions. */
export function MemberSessions({ member, canEnd }: MemberSessionsProps) {
  const sessions = useRead(...memberReads(member.id).sessions);
  return (
    <Section
      title="Open sessions"
      description={
        isEmpty(sessions.data)
          ? `${member.name} is not signed in anywhere.`
          : "Where this member is signed in, newest first. Sessions expire on their own."
      }
    >
      <ReadState
        read={sessions}
        to="list the open sessions"
        skeleton={<TableSkeleton rows={1} columns={3} />}
        empty={null}
      >
        {({ data }) => (
          <Card flush>
            <ul aria-label="Open sessions">
              {data.map((session) => (
                <SessionRow key={session.id} session={session} member={member} canEnd={canEnd} />
              ))}
            </ul>
          </Card>
        )}
      </ReadState>
    </Section>
  );
}

type SessionRowProps = MemberSessionsProps & { session: OpenSession };

function SessionRow({ session, member, canEnd }: SessionRowProps) {
  const { user_agent: userAgent, current, created_at, last_used_at: usedAt, expires_at } = session;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-2 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 wrap-anywhere" title={userAgent ?? undefined}>
          {describeDevice(userAgent)}
          {current && <Badge>this session</Badge>}
        </p>
        <p className="text-sm text-muted">
          Opened <RelativeTime at={created_at} />,{" "}
          {usedAt === null ? (
            "not used since the gateway started"
          ) : (
            <>
              last used <RelativeTime at={usedAt} />
            </>
          )}
          , ends <RelativeTime at={expires_at} />
        </p>
      </div>
      {canEnd && !current && <EndMemberSession session={session} member={member} />}
    </li>
  );
}

function EndMemberSession({ session, member }: { session: OpenSession; member: User }) {
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
