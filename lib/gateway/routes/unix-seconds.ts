/** Milliseconds as they are stored to whole seconds as they are sent. */
export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** As `toUnixSeconds`, of a time that may not have come or may never come. */
export function toNullableUnixSeconds(ms: number | null): number | null {
  return ms === null ? null : toUnixSeconds(ms);
}
