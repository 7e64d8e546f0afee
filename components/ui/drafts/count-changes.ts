import { isObject } from "@/lib/contract/json-value";

/**
 * Counts the differences between two form values. Each changed field counts once, and so does each entry added to a
 * list or removed from it. Null, undefined and blank text count as equal.
 */
export function countChanges(before: unknown, after: unknown): number {
  if (Array.isArray(before) || Array.isArray(after)) return countEntries(before, after);
  if (isObject(before) || isObject(after)) {
    const [old, now] = [toRecord(before), toRecord(after)];
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...names].reduce((sum, name) => sum + countChanges(old[name], now[name]), 0);
  }
  return Object.is(normalizeBlank(before), normalizeBlank(after)) ? 0 : 1;
}

/** Lists of strings are compared regardless of order, other lists entry by entry. */
function countEntries(before: unknown, after: unknown): number {
  const old: unknown[] = Array.isArray(before) ? before : [];
  const now: unknown[] = Array.isArray(after) ? after : [];
  if ([...old, ...now].some(isObject)) {
    const indices = Array.from({ length: Math.max(old.length, now.length) }, (_, index) => index);
    return indices.filter((index) => countChanges(old[index], now[index]) > 0).length;
  }
  return [...new Set([...old, ...now])].filter((entry) => old.includes(entry) !== now.includes(entry)).length;
}

function normalizeBlank(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? null : (value ?? null);
}

function toRecord(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
