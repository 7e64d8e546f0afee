import { type ReadId, type ReadParameters, WHOLE } from "@/lib/console/reads/reads";

/** The rows that a list of any length shows first. One without more is searched and sorted in the browser. */
const FIRST_ROWS = "1000";

/** Returns the read of a list with all of its rows, as `useRead` and `Prefetched` take it. */
export function wholeList<Id extends ReadId & `list${string}`>(
  id: Id,
  parameters: ReadParameters = {},
): readonly [Id, ReadParameters] {
  return [id, { ...parameters, limit: WHOLE }];
}

/**
 * Returns the read of the first rows of a list that may have any number of them, in the gateway's order: those that it
 * lists oldest first take `order: "desc"`. `useFurtherRows` reads and searches the others.
 */
export function firstRows<Id extends ReadId & `list${string}`>(
  id: Id,
  parameters: ReadParameters = {},
): readonly [Id, ReadParameters] {
  return [id, { ...parameters, limit: FIRST_ROWS }];
}
