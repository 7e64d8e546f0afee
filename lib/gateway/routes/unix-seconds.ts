/** Milliseconds as they are stored to whole seconds as they are sent. */
export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
