/** The highest spend limit, in cents: the largest balance there can be. */
export const MAX_SPEND_CENTS = 900_000_000_000;

/** A refused call's figures of the limit that refused it. */
export interface RefusedBy {
  readonly limit: number;
  readonly used: number;
  readonly needed: number;
}

/**
 * The round number to ask for: the next of 1, 2, 5, 10, 20, 50 … that is at least twice the limit and lets the refused
 * call pass.
 * @param smallest the least that is worth asking for.
 */
export function suggestLimit({ limit, used, needed }: RefusedBy, smallest = 1): number {
  const least = Math.max(2 * limit, used + needed, smallest);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10;
  return step * power;
}
