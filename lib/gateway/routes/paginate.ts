import type { OrderedPageQuery } from "@/lib/contract/schema";
import type { PagedList } from "../lists/paged-list";
import { invalid } from "../refusal";

const DEFAULT_LIMIT = 100;

/**
 * One page of a list: `after` is the id it follows, `before` the id it precedes. What `describe` returns null for is left out:
 * it went while the page was read.
 * @throws Refusal 400 for an id the list doesn't hold.
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
  // One more than asked for tells whether there is a further page; the further one stands at the far end.
  const found = await list.read({ after, before, order, limit: limit + 1 });
  const isBackwards = before !== undefined && after === undefined;
  const page = isBackwards ? found.slice(-limit) : found.slice(0, limit);
  return {
    object: "list" as const,
    data: page.flatMap((item) => describe(item) ?? []) as Shown[],
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}

/** The same with `next`, by which OpenAI's clients page through some lists. */
export async function paginateByNext<Item extends { readonly id: string }, Shown>(
  ...page: Parameters<typeof paginate<Item, Shown>>
) {
  const reply = await paginate(...page);
  return { ...reply, next: reply.has_more ? reply.last_id : null };
}
