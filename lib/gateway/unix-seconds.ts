/** Converts stored milliseconds to the whole seconds of the API. */
export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** `toUnixSeconds` for a time that may be null. */
export function toNullableUnixSeconds(ms: number | null): number | null {
  return ms === null ? null : toUnixSeconds(ms);
}
