import { formatCount } from "../values/group-digits";

type ListPart = {
  /** A noun for one row: "key". */
  noun: string;
  /** The number of rows that were loaded. */
  loaded: number;
  /** True if the list has more rows. */
  hasMore: boolean;
};

/**
 * Says that a search found nothing: only among the loaded rows, if there are more. `none` says it for the whole list.
 */
export function describeNoMatch({ noun, loaded, hasMore }: ListPart, typed: string, none: string): string {
  if (!hasMore || typed === "") return none;
  return `None of the first ${formatCount(loaded)} ${noun}s matches “${typed}”. The others are not searched.`;
}

/** Says that a list has more rows than can be shown; null if it has none. */
export function describeUnlisted({ noun, loaded, hasMore }: ListPart): string | null {
  if (!hasMore) return null;
  return `Only the first ${formatCount(loaded)} ${noun}s are listed and searched. The CSV file has them all.`;
}
