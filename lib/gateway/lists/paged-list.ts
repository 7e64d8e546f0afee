/** Selects items of a list: `limit` of those after `after`, before `before`, or between the two. */
interface PageSelection {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** `desc` reverses the list. */
  readonly order?: "asc" | "desc" | undefined;
  readonly limit: number;
}

/** A list that is read page by page, by the ids of its items. */
export interface PagedList<Item extends { readonly id: string }> {
  has(id: string): Promise<boolean>;
  /** Returns items in the list's order; without `after`, those right before `before`. */
  read(page: PageSelection): Promise<readonly Item[]>;
  /** Returns how many of a page's items fit in a reply; only lists of large items have it. */
  countFitting?(page: PageSelection): Promise<number>;
}

/** Merges two lists by their ids, in the order that both have: `defaultOrder`. No id occurs in both. */
export function mergeById<Item extends { readonly id: string }>(
  one: PagedList<Item>,
  other: PagedList<Item>,
  defaultOrder: "asc" | "desc" = "asc",
): PagedList<Item> {
  return {
    has: async (id) => (await one.has(id)) || (await other.has(id)),
    async read(page) {
      const isDescending = (defaultOrder === "desc") !== (page.order === "desc");
      const isBackwards = page.before !== undefined && page.after === undefined;
      const mergedItems = [...(await one.read(page)), ...(await other.read(page))].toSorted(
        ({ id: a }, { id: b }) => (a < b !== isDescending ? -1 : 1),
      );
      return isBackwards ? mergedItems.slice(-page.limit) : mergedItems.slice(0, page.limit);
    },
  };
}

/** Rows that a search reads before other requests are served: a few milliseconds at most. */
const SEARCHED_AT_ONCE = 500;

/** The items of a list that `isFound` accepts. It is read in steps, so that a rare match blocks nobody. */
export function filterList<Item extends { readonly id: string }>(
  list: PagedList<Item>,
  isFound: (item: Item) => boolean,
): PagedList<Item> {
  return {
    has: (id) => list.has(id),
    async read({ limit, ...page }) {
      const isBackwards = page.before !== undefined && page.after === undefined;
      let { after, before } = page;
      let found: Item[] = [];
      for (;;) {
        const items = await list.read({ ...page, after, before, limit: SEARCHED_AT_ONCE });
        const matches = items.filter(isFound);
        found = isBackwards ? [...matches, ...found] : [...found, ...matches];
        if (items.length < SEARCHED_AT_ONCE || found.length >= limit) break;
        if (isBackwards) before = items[0]?.id;
        else after = items.at(-1)?.id;
        await new Promise(setImmediate);
      }
      return isBackwards ? found.slice(-limit) : found.slice(0, limit);
    },
  };
}

/** A list whose items are all in memory. */
export function listInMemory<Item extends { readonly id: string }>(items: readonly Item[]): PagedList<Item> {
  return {
    has: async (id) => items.some((item) => item.id === id),
    async read({ after, before, order, limit }) {
      const orderedItems = order === "desc" ? items.toReversed() : items;
      const findPosition = (id: string) => orderedItems.findIndex((item) => item.id === id);
      const start = after === undefined ? 0 : findPosition(after) + 1;
      const end = before === undefined ? orderedItems.length : findPosition(before);
      const isBackwards = before !== undefined && after === undefined;
      return isBackwards
        ? orderedItems.slice(Math.max(start, end - limit), end)
        : orderedItems.slice(start, Math.min(start + limit, end));
    },
  };
}
