/**
 * Returns the pause in milliseconds between two polls of a list with this many loaded pages. Each poll reads every
 * page, so the pause grows with them: the gateway gets one read per `intervalMs`, however many are loaded.
 */
export function computePollPause(intervalMs: number, pages: number): number {
  return intervalMs * Math.max(1, pages);
}
