const BYTES_PER_TOKEN = 4;

/** The tokens of output whose usage nobody reported, by its length in bytes; at most `max`. */
export function estimateWrittenTokens(bytes: number, max = Number.POSITIVE_INFINITY): number {
  return Math.min(Math.ceil(bytes / BYTES_PER_TOKEN), max);
}
