import type { AuditLog } from "@/lib/contract/operations/audit/audit-logs";

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

const DECIMAL = /^\d+(\.\d+)?$/;

/** Returns true if a stored and a retrieved value are equal: amounts by value, lists and properties in any order. */
export function isSameValue(stored: unknown, retrieved: unknown): boolean {
  return normal(parsed(stored)) === normal(parsed(retrieved));
}

/** The log stores lists and objects as JSON. Other text may begin like it. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function normal(value: unknown): string {
  if (typeof value === "string") {
    return DECIMAL.test(value) && value.includes(".") ? value.replace(/\.?0+$/, "") : value;
  }
  if (Array.isArray(value)) return JSON.stringify(value.map(normal).toSorted());
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return JSON.stringify(entries.map(([name, each]) => [name, normal(each)]).toSorted());
}
