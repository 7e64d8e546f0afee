import type { OrderedPageQuery } from "@/lib/contract/schema";
import type { PagedList } from "../lists/paged-list";
import { invalid } from "../refusal";

const DEFAULT_LIMIT = 100;

/**
 * One page of a list, after the id `after` or before the id `before`. Items for which `describe` returns null were
 * deleted while the page was read, and are left out. A page of large items may have fewer than `limit`.
 * @throws Refusal 400 for an id that is not in the list.
 */
export async function paginate<Item extends { readonly id: string }, Shown>(
  list: PagedList<Item>,
  { after, before, order, limit = DEFAULT_LIMIT }: OrderedPageQuery,
  describe: (item: Item) => Shown | null,
) {
  for (const [param, id] of Object.entries({ after, before })) {
    if (id === undefined || (await list.has(id))) continue;
    throw invalid(param, `"${id}" is not in this list; pass the id of an object the list returned.`);
  }
  const max = Math.min(limit, (await list.countFitting?.({ after, before, order, limit })) ?? limit);
  // One extra item shows whether there is another page; it is at the far end.
  const items = await list.read({ after, before, order, limit: max + 1 });
  const isBackwards = before !== undefined && after === undefined;
  const page = isBackwards ? items.slice(-max) : items.slice(0, max);
  return {
    object: "list" as const,
    data: page.flatMap((item) => describe(item) ?? []) as Shown[],
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: items.length > max,
  };
}

/** The same with `next`, which OpenAI's clients use to page through some lists. */
export async function paginateByNext<Item extends { readonly id: string }, Shown>(
  ...page: Parameters<typeof paginate<Item, Shown>>
) {
  const reply = await paginate(...page);
  return { ...reply, next: reply.has_more ? reply.last_id : null };
}
