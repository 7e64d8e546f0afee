import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";
import { isSameValue } from "./same-value";

type Change = AuditLog["changes"][number];

/**
 * Returns the event that set back what an event changed; undefined if none did.
 * @param history the object's events, newest first.
 */
export function findReversal(event: AuditLog, history: readonly AuditLog[]): AuditLog | undefined {
  const [first] = event.changes;
  if (!first) return undefined;
  const at = history.findIndex(({ id }) => id === event.id);
  const later = history.slice(0, Math.max(at, 0));
  return later.findLast(({ changes }) => changes.some((change) => reverses(change, first)));
}

function reverses(change: Change, changed: Change): boolean {
  const isSameObject =
    change.object === changed.object && change.id === changed.id && change.subject_id === changed.subject_id;
  if (!isSameObject) return false;
  const before = changed.before ?? changed.default_before;
  const { after } = changed;
  if (!before) return change.after === null;
  if (!after) return change.before === null && change.after !== null;
  const columns = Object.keys(after).filter((column) => !isSameValue(before[column], after[column]));
  return (
    columns.length > 0 &&
    columns.every(
      (column) =>
        isSameValue((change.before ?? change.default_before)?.[column], after[column]) &&
        isSameValue(change.after?.[column], before[column]),
    )
  );
}
