/** Returns the start of the month of `now` (UTC), or of the month `later` months after it. All in Unix seconds. */
export function startOfMonth(now: number, later = 0): number {
  const date = new Date(now * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1000;
}
