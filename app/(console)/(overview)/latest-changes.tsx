"use client";

import { ChangeWords } from "@/components/audit-log/change-words";
import { describeChanges } from "@/components/audit-log/describe-changes";
import { describeObject, describePerson } from "@/components/audit-log/describe-event";
import { describeType } from "@/components/audit-log/event-words";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links/text-link";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { latestChanges } from "./overview-reads";

const POLL_MS = 30_000;
const SHOWN_FIELDS = 2;

/** The latest changes, without sign-ins, which only the audit log shows. */
export function LatestChanges() {
  const changes = useRead(...latestChanges, { refetchInterval: POLL_MS });
  return (
    <Section
      title="Recent changes"
      actions={changes.data && <TextLink href={paths.auditLogs()}>Audit log</TextLink>}
    >
      <ReadState read={changes} to="list changes" skeleton={<TableSkeleton rows={5} columns={2} />}>
        {({ data }) => (
          <Card flush>
            <ul className="divide-y">
              {data.map((event) => (
                <Change key={event.id} event={event} />
              ))}
            </ul>
            {data.length === 0 && <p className="px-4 py-8 text-center text-muted">No changes yet.</p>}
          </Card>
        )}
      </ReadState>
    </Section>
  );
}

function Change({ event }: { event: AuditLog }) {
  const object = describeObject(event);
  // What was created or deleted is named; only a change needs both of its values.
  const isChange = event.changes.every(
    ({ before, default_before, after }) => (before ?? default_before) !== null && after !== null,
  );
  const changes = isChange ? describeChanges(event.changes) : [];
  return (
    <li className="px-4 py-2.5 text-sm">
      <TextLink href={paths.auditLog(event.id)} className="line-clamp-2 font-medium wrap-anywhere">
        {describeType(event.type)}
        {object && `: ${object.name}`}
      </TextLink>
      {changes.length > 0 && (
        <p className="wrap-anywhere">
          {changes.slice(0, SHOWN_FIELDS).map((change) => (
            <span key={change.label} className="block">
              <ChangeWords change={change} />
            </span>
          ))}
          {changes.length > SHOWN_FIELDS && (
            <span className="text-muted">
              and {changes.length - SHOWN_FIELDS}
              {event.more_changes ? "+" : ""} more
            </span>
          )}
        </p>
      )}
      <p className="text-muted wrap-anywhere">
        {describePerson(event).name} · <RelativeTime at={event.effective_at} />
      </p>
    </li>
  );
}
