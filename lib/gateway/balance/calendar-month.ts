/** The start of the calendar month (UTC) that contains a time. */
export function monthStartMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** The end of the calendar month (UTC) that contains a time, which is the start of the next. */
export function monthEndMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
