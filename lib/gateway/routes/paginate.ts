import { foldName } from "@/lib/contract/plain-text";
import type { SearchedOrderedPageQuery } from "@/lib/contract/schema";
import { filterList, type PagedList } from "../lists/paged-list";
import { invalid } from "../refusal";

const DEFAULT_LIMIT = 100;

/**
 * One page of a list, after the id `after` or before the id `before`, of the items that `search` finds. Items for which
 * `describe` returns null were deleted while the page was read, and are left out. A page of large items may have fewer
 * than `limit`.
 * @throws Refusal 400 for an id that is not in the list.
 */
export async function paginate<Item extends { readonly id: string }, Shown>(
  list: PagedList<Item>,
  { after, before, order, limit = DEFAULT_LIMIT, search }: SearchedOrderedPageQuery,
  describe: (item: Item) => Shown | null,
) {
  for (const [param, id] of Object.entries({ after, before })) {
    if (id === undefined || (await list.has(id))) continue;
    throw invalid(param, `"${id}" is not in this list; pass the id of an object the list returned.`);
  }
  const max = Math.min(limit, (await list.countFitting?.({ after, before, order, limit })) ?? limit);
  const words = foldName(search ?? "").split(" ");
  const isFound = (item: Item) => hasWords({ id: item.id, ...describe(item) }, words);
  const found = words.join("") === "" ? list : filterList(list, isFound);
  // One extra item shows whether there is another page; it is at the far end.
  const items = await found.read({ after, before, order, limit: max + 1 });
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

/** The fields by which people know an object. */
const namingFields = ["name", "group_name", "email", "model", "redacted_value", "description"] as const;

/** Whether each word is in a name of a shown object, or begins its id. A model's id is its name. */
function hasWords(shown: { readonly id: string }, words: readonly string[]): boolean {
  const fields = shown as Partial<Record<(typeof namingFields)[number], unknown>>;
  const names = namingFields.flatMap((name) => (typeof fields[name] === "string" ? fields[name] : []));
  const text = foldName((names.length > 0 ? names : [shown.id]).join(" "));
  const id = shown.id.toLowerCase();
  return words.every((word) => text.includes(word) || id.startsWith(word));
}

/** The same with `next`, which OpenAI's clients use to page through some lists. */
export async function paginateByNext<Item extends { readonly id: string }, Shown>(
  ...page: Parameters<typeof paginate<Item, Shown>>
) {
  const reply = await paginate(...page);
  return { ...reply, next: reply.has_more ? reply.last_id : null };
}
