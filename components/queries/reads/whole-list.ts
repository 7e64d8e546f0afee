import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";

/** More than any organization has in practice. The screens say so if a list is longer. */
const MAX_ROWS = "1000";

/** Returns the read of a list in one page, as `useRead` and `Prefetched` take it. */
export function wholeList<Id extends ReadId & `list${string}`>(
  id: Id,
  parameters: ReadParameters = {},
): readonly [Id, ReadParameters] {
  return [id, { ...parameters, limit: MAX_ROWS }];
}
