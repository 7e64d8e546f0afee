import type { OrderedPageQuery, PageQuery } from "@/lib/contract/schema";
import { invalid } from "../ports/refusal";

const DEFAULT_LIMIT = 100;

interface Slice<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
}

/** `after` is the id a page follows, `before` the id it precedes. @throws Refusal 400 for an id the list doesn't hold. */
function slice<Item extends { id: string }>(
  items: readonly Item[],
  { after, before, limit }: PageQuery,
): Slice<Item> {
  const size = limit ?? DEFAULT_LIMIT;
  const start = after === undefined ? 0 : positionOf(items, after, "after") + 1;
  const end = before === undefined ? items.length : positionOf(items, before, "before");
  if (before !== undefined && after === undefined) {
    return { data: items.slice(Math.max(0, end - size), end), has_more: end > size };
  }
  return { data: items.slice(start, Math.min(start + size, end)), has_more: start + size < end };
}

function positionOf(items: readonly { id: string }[], id: string, param: string): number {
  const position = items.findIndex((item) => item.id === id);
  if (position < 0)
    throw invalid(param, `"${id}" is not in this list; pass the id of an object the list returned.`);
  return position;
}

/** One page of an ordered list in the form of OpenAI's `first_id`/`last_id` lists. */
export function paginate<Item extends { id: string }>(items: readonly Item[], query: OrderedPageQuery) {
  const page = slice(query.order === "desc" ? items.toReversed() : items, query);
  return {
    object: "list" as const,
    ...page,
    first_id: page.data[0]?.id ?? null,
    last_id: page.data.at(-1)?.id ?? null,
  };
}

/** One page of an ordered list in the form of OpenAI's `next` lists. */
export function paginateByNext<Item extends { id: string }>(items: readonly Item[], query: OrderedPageQuery) {
  const page = slice(query.order === "desc" ? items.toReversed() : items, query);
  return { object: "list" as const, ...page, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null };
}
