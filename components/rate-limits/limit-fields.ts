import type { ModelFamily } from "@/lib/contract/calls/model-families";
import {
  limitWindows,
  mapLimits,
  type RateLimitField,
  type RateLimitRow,
  type RateLimitValues,
  rateLimitFields,
  rateLimitRows,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";

/** A limit's labels on the screens. */
export interface LimitField extends Pick<RateLimitRow, "counts" | "removable" | "families"> {
  readonly name: RateLimitField;
  readonly label: string;
  /** The head of its column; `per` is the unit shown in it. */
  readonly column: string;
  readonly per: string;
  /** Shown next to the number in a form. */
  readonly unit: string;
  /** A sentence on what the limit counts. */
  readonly meaning: string;
}

/** All limits, in the order of the API's object. */
export const limitFields: readonly LimitField[] = rateLimitRows.map(
  ({ field, counts, removable, families, window, words: { columnUnit = "", unit, ...words } }) => {
    const { per } = limitWindows[window];
    const shown = { per: `${columnUnit} / ${per}`.trim(), unit: `${unit} / ${per}` };
    return { name: field, counts, removable, families, ...words, ...shown };
  },
);

export const limitLabels = mapLimits(({ words }) => words.label);

/** Returns what a limit counts, as it follows a number: "requests", and "request" after 1. */
export function nameCounted(field: RateLimitField, number: bigint | number): string {
  const { amount } = rateLimitTable[field].words;
  return BigInt(number) === 1n ? amount.replace(/\b(request|token|image|megabyte)s\b/, "$1") : amount;
}

/** Returns true if a limit applies to a model family. Unknown families count as affected. */
export function hasEffect(field: LimitField, family: ModelFamily | null): boolean {
  return family === null || field.families.includes(family);
}

/** Returns only the limits of an object that has them. */
export function copyLimits(limit: RateLimitValues): RateLimitValues {
  return pickLimits(limit, rateLimitFields) as RateLimitValues;
}

/** Returns some of the limits, for sending only the changed ones. */
export function pickLimits(
  limits: RateLimitValues,
  names: readonly RateLimitField[],
): Partial<RateLimitValues> {
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}
