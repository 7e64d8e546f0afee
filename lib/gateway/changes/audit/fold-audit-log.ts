import { otherEvents } from "@/lib/contract/access/audit-events";
import type { AuditChange, AuditRow } from "./audit-event";

type Fields = Readonly<Record<string, unknown>>;
export type AuditedRow = Pick<AuditChange, "object" | "id" | "subject_id" | "project_id"> & {
  readonly row: Fields;
};

/** The state of a row after its last event; null if that event deleted it. */
interface AuditedState {
  readonly audited: AuditedRow;
  readonly state: Fields | null;
}

/** Identifies a row. A row's own id never changes, so it is used if there is one. */
export function buildAuditedRowKey({ object, id, subject_id, project_id, row }: AuditedRow): string {
  const keyColumns = row.id === undefined ? [subject_id, project_id] : [row.id];
  return JSON.stringify([object, id, ...keyColumns]);
}

/**
 * The last known state of every row in the log, by its key. `events` is called twice and lists all events in order each
 * time.
 */
export function foldAuditLog(
  events: () => Iterable<Pick<AuditRow, "type" | "changes">>,
): Map<string, AuditedState> {
  const states = new Map<string, AuditedState>();
  const apply = (isCut: boolean) => {
    for (const { type, changes } of events()) {
      if ((type === otherEvents.auditCut) === isCut)
        for (const change of JSON.parse(changes) as AuditChange[]) fold(states, change);
    }
  };
  // A cut removed only events that are older than the rest, though the event that sums them up is newer.
  apply(true);
  apply(false);
  return states;
}

function fold(states: Map<string, AuditedState>, { before, after, ...change }: AuditChange): void {
  if (change.object === "audit_logs") return;
  const audited = { ...change, row: after ?? before ?? {} };
  const key = buildAuditedRowKey(audited);
  // An event may hold only some of the row's fields.
  states.set(key, { audited, state: after && { ...states.get(key)?.state, ...after } });
}
