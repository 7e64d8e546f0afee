/** The start of the calendar month (UTC) that contains a time, or of the month `later` months after it. */
export function computeMonthStartMs(atMs: number, later = 0): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** The end of the calendar month (UTC) that contains a time, which is the start of the next. */
export function computeMonthEndMs(atMs: number): number {
  return computeMonthStartMs(atMs, 1);
}

/** The name of the calendar month (UTC) that contains a time: "2026-10". */
export function formatMonth(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** When a named month begins, and when the next one does. @param month as `formatMonth` names it. */
export function findMonthSpan(month: string): { readonly startMs: number; readonly endMs: number } {
  const startMs = Date.parse(`${month}-01T00:00:00Z`);
  return { startMs, endMs: computeMonthEndMs(startMs) };
}
