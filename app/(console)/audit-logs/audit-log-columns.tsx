import { ChangeWords } from "@/components/audit-log/change-words";
import { describeChanges } from "@/components/audit-log/describe-changes";
import { describeObject, describePerson, findActorAddress } from "@/components/audit-log/describe-event";
import { describeType } from "@/components/audit-log/event-words";
import type { Column } from "@/components/ui/table/column";
import { ClockTime } from "@/components/ui/time/clock-time";
import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";

const MAX_CHANGES_SHOWN = 2;

export const auditLogColumns: readonly Column<AuditLog>[] = [
  {
    id: "time",
    header: "Time",
    apiName: "effective_at",
    width: "w-32",
    cell: ({ effective_at }) => <ClockTime at={effective_at} />,
  },
  { id: "person", header: "Person", apiName: "actor", width: "w-56", cell: (event) => <Person {...event} /> },
  {
    id: "what",
    header: "What",
    apiName: "type",
    width: "w-80",
    cell: (event) => <What event={event} />,
  },
  {
    id: "change",
    header: "Change",
    apiName: "changes",
    cell: (event) => <Changes {...event} />,
  },
  {
    id: "from",
    header: "From",
    apiName: "ip_address",
    width: "w-36",
    phone: "hidden",
    wide: true,
    cell: (event) => (
      <code className="font-mono text-sm wrap-anywhere text-muted">{findActorAddress(event)}</code>
    ),
  },
];

function Person(event: AuditLog) {
  const { name, note } = describePerson(event);
  return (
    <span className="wrap-anywhere">
      {name}
      {note && <span className="text-muted"> · {note}</span>}
    </span>
  );
}

function What({ event }: { event: AuditLog }) {
  const object = describeObject(event);
  return (
    <span className="wrap-anywhere">
      {describeType(event.type)}
      {object && (
        <span className="text-muted">
          {" "}
          · <span className="inline-block max-w-full">{object.name}</span>
        </span>
      )}
    </span>
  );
}

function Changes({ changes, more_changes: moreChanges }: Pick<AuditLog, "changes" | "more_changes">) {
  const described = describeChanges(changes);
  if (described.length === 0) return null;
  const more = described.length - MAX_CHANGES_SHOWN;
  return (
    <span className="line-clamp-2">
      {described.slice(0, MAX_CHANGES_SHOWN).map((change, index) => (
        // Keyed by position: an event never changes.
        <span key={index}>
          {index > 0 && <span className="text-muted"> · </span>}
          <ChangeWords change={change} />
        </span>
      ))}
      {more > 0 && (
        <span className="text-muted">
          {" "}
          · {more}
          {moreChanges ? "+" : ""} more
        </span>
      )}
    </span>
  );
}
