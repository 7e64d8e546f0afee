import type { SpendAlertFiringsQuery } from "@/lib/contract/operations/spend-alert-firings";
import { invalid } from "../ports/refusal";
import type { SpendAlertFiringReader, ToldFiring } from "./spend-alert-firing-reader";
import type { SpendScope } from "./spend-book";

const DEFAULT_LIMIT = 100;

/** One page of what fired in one scope, or in all where it is undefined. @throws Refusal 400 for a page beside no firing. */
export async function listFirings(
  firings: SpendAlertFiringReader,
  scope: SpendScope | undefined,
  { month, order = "asc", after, before, limit = DEFAULT_LIMIT }: SpendAlertFiringsQuery,
): Promise<{ page: ToldFiring[]; hasMore: boolean }> {
  const filter = { scope, ...(month !== undefined && { monthStartMs: Date.parse(`${month}-01T00:00:00Z`) }) };
  for (const [param, id] of Object.entries({ after, before })) {
    if (id === undefined || (await firings.has(id, filter))) continue;
    throw invalid(param, `"${id}" is not in this list; pass the id of an object the list returned.`);
  }
  // One more than asked for tells whether there is a further page; the further one stands at the far end.
  const found = await firings.list({ ...filter, order, after, before, limit: limit + 1 });
  const isBackwards = before !== undefined && after === undefined;
  return {
    page: isBackwards ? found.slice(-limit) : found.slice(0, limit),
    hasMore: found.length > limit,
  };
}
