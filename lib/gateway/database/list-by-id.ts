import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { PagedList } from "../lists/paged-list";

/**
 * A stored list in the order of its ids, which sort by time. A page reads no more rows than it holds, if an index
 * covers the query's columns followed by the id. `id` is a column, or an expression in the form of its index.
 */
export function listById<Tables, Table extends keyof Tables, Row, Item extends { readonly id: string }>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { id, defaultOrder }: { id: string | Expression<string>; defaultOrder: "asc" | "desc" },
  toItem: (row: Row) => Item,
): PagedList<Item> {
  const key = typeof id === "string" ? sql.ref(id) : id;
  const compare = (operator: "=" | "<" | ">", with_: string) =>
    sql<SqlBool>`${key} ${sql.raw(operator)} ${with_}`;
  return {
    async has(named) {
      return (await query.where(compare("=", named)).limit(1).executeTakeFirst()) !== undefined;
    },
    async read({ after, before, order, limit }) {
      const isDescending = (defaultOrder === "desc") !== (order === "desc");
      const [following, preceding] = isDescending ? (["<", ">"] as const) : ([">", "<"] as const);
      // The page before an item ends at it: read backwards from there, then reverse.
      const isBackwards = before !== undefined && after === undefined;
      let page = query.orderBy(key, isDescending === isBackwards ? "asc" : "desc").limit(limit);
      if (after !== undefined) page = page.where(compare(following, after));
      if (before !== undefined) page = page.where(compare(preceding, before));
      const rows = await page.execute();
      return (isBackwards ? rows.toReversed() : rows).map(toItem);
    },
  };
}
