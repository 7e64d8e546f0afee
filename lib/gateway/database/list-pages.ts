import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { PagedList } from "../lists/paged-list";
import type { Reads } from "./database";

/** Rows scanned before other requests are served: a few milliseconds at most. */
const SCAN_SIZE = 500;
/** Rows read at a time: these take as long again, since each is assembled and written. */
const PAGE_SIZE = 250;

interface SequencedRows<Tables, Table extends keyof Tables, Row> {
  readonly query: SelectQueryBuilder<Tables, Table, Row>;
  readonly isFiltered: boolean;
  /** Exclusive bounds of the rows' numbers, if they are known. */
  readonly bounds?: { readonly from?: number; readonly until?: number };
}

/**
 * An append-only table, newest first, in the order of its `seq`. Rows that the filter excludes are scanned in steps, so
 * that a rare match blocks nobody.
 */
export function listBySequence<Tables, Table extends keyof Tables, Row, Item extends { readonly id: string }>(
  reads: Reads,
  table: "ledger_entries" | "audit_logs",
  select: () => Promise<SequencedRows<Tables, Table, Row>>,
  toItem: (row: Row) => Item,
): PagedList<Item> {
  const findSeq = async (id: string) => {
    const row = await reads.selectFrom(table).select("seq").where("id", "=", id).executeTakeFirst();
    return row?.seq ?? null;
  };
  const seq = sql.ref(`${table}.seq`);
  return {
    has: async (id) => (await findSeq(id)) !== null,
    async read({ after, before, limit }) {
      const { query, isFiltered, bounds } = await select();
      const stretch = (low: number, high: number, order: "asc" | "desc", max: number) =>
        query
          .where(sql<SqlBool>`${seq} > ${low} AND ${seq} < ${high}`)
          .orderBy(seq, order)
          .limit(max)
          .execute();
      let from = Math.max(bounds?.from ?? 0, (before === undefined ? null : await findSeq(before)) ?? 0);
      let until = (after === undefined ? null : await findSeq(after)) ?? (await findEnd(reads, table));
      until = Math.min(until, bounds?.until ?? until);
      // The page before an item ends at it: read upwards from there, then reverse.
      const isUpwards = before !== undefined && after === undefined;
      const width = isFiltered ? SCAN_SIZE : Number.MAX_SAFE_INTEGER;
      const rows: Row[] = [];
      while (rows.length < limit && until - from > 1) {
        const [low, high] = isUpwards
          ? [from, Math.min(until, from + width)]
          : [Math.max(from, until - width), until];
        const max = Math.min(limit - rows.length, PAGE_SIZE);
        const foundRows = await stretch(low, high, isUpwards ? "asc" : "desc", max);
        rows.push(...foundRows);
        const last = foundRows.length === max ? foundRows.at(-1) : undefined;
        // Rows after the last one of a full read were not scanned yet.
        const lastSeq = last && (await findSeq(toItem(last).id));
        if (isUpwards) from = lastSeq ?? high - 1;
        else until = lastSeq ?? low + 1;
        if (isFiltered || lastSeq) await new Promise(setImmediate);
      }
      return (isUpwards ? rows.toReversed() : rows).map(toItem);
    },
  };
}

/** A number after the last row. */
async function findEnd(reads: Reads, table: "ledger_entries" | "audit_logs"): Promise<number> {
  const { last } = await reads
    .selectFrom(table)
    .select(sql<number | null>`max(seq)`.as("last"))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

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
