/** From this share of a limit on, it counts as nearly used up. */
export const NEAR_SHARE = 0.8;

/** A limit, and what the last day has used of it. */
interface UsedLimit {
  /** Null: none. */
  readonly max: number | null;
  readonly peak: number;
  readonly refusals: number;
}

/**
 * Whether a limit refused calls or was nearly used up. A limit of 0 lets nothing through on purpose, so it is never
 * near.
 */
export function isNearLimit({ max, peak, refusals }: UsedLimit): boolean {
  return refusals > 0 || (max !== null && max > 0 && peak >= NEAR_SHARE * max);
}
