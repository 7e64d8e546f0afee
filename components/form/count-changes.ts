/**
 * How many things differ between two values of a form: each field counts once, each entry added to a list or taken from it
 * counts once. Null, undefined and a text of spaces alone are all nothing.
 */
export function countChanges(before: unknown, after: unknown): number {
  if (Array.isArray(before) || Array.isArray(after)) return countEntries(before, after);
  if (isRecord(before) || isRecord(after)) {
    const [old, now] = [recordOf(before), recordOf(after)];
    const names = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...names].reduce((sum, name) => sum + countChanges(old[name], now[name]), 0);
  }
  return Object.is(meant(before), meant(after)) ? 0 : 1;
}

/** Texts may change their order; other entries are compared one by one. */
function countEntries(before: unknown, after: unknown): number {
  const old: unknown[] = Array.isArray(before) ? before : [];
  const now: unknown[] = Array.isArray(after) ? after : [];
  if ([...old, ...now].some(isRecord)) {
    const places = Array.from({ length: Math.max(old.length, now.length) }, (_, index) => index);
    return places.filter((index) => countChanges(old[index], now[index]) > 0).length;
  }
  return [...new Set([...old, ...now])].filter((entry) => old.includes(entry) !== now.includes(entry)).length;
}

function meant(value: unknown): unknown {
  return typeof value === "string" && value.trim() === "" ? null : (value ?? null);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
