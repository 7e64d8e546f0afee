import type { ModelFamily } from "@/lib/contract/model-families";
import {
  limitWindows,
  mapLimits,
  type RateLimitField,
  type RateLimitRow,
  type RateLimitValues,
  rateLimitFields,
  rateLimitRows,
} from "@/lib/contract/rate-limit-table";

/** A limit as the screens show it. */
export interface LimitField extends Pick<RateLimitRow, "removable" | "families"> {
  readonly name: RateLimitField;
  readonly label: string;
  /** The head of its column, and the unit in it. */
  readonly column: string;
  readonly per: string;
  /** Beside the number in a form. */
  readonly unit: string;
  /** What it counts, in a sentence. */
  readonly meaning: string;
}

/** The limits, in the order of the API's object. */
export const limitFields: readonly LimitField[] = rateLimitRows.map(
  ({ field, removable, families, window, words: { columnUnit = "", unit, ...words } }) => {
    const { per } = limitWindows[window];
    const shown = { per: `${columnUnit} / ${per}`.trim(), unit: `${unit} / ${per}` };
    return { name: field, removable, families, ...words, ...shown };
  },
);

export const limitLabels = mapLimits(({ words }) => words.label);

/** Whether a limit is counted for a family. Where the family is not known, nothing is said to be without effect. */
export function hasEffect(field: LimitField, family: ModelFamily | null): boolean {
  return family === null || field.families.includes(family);
}

/** The limits alone of whatever holds them. */
export function limitsOf(limit: RateLimitValues): RateLimitValues {
  return pickLimits(limit, rateLimitFields) as RateLimitValues;
}

/** Some of the limits: what is sent when only these have changed. */
export function pickLimits(
  limits: RateLimitValues,
  names: readonly RateLimitField[],
): Partial<RateLimitValues> {
  return Object.fromEntries(names.map((name) => [name, limits[name]]));
}
