import type { Database as Sqlite } from "bun:sqlite";
import { firstIdAt } from "@/lib/contract/ids";
import { readLastEntrySeq } from "../../ledger/reads/read-spent.sql";
import { ID_LEAD_MS } from "../requests/id-lead";
import { minutesWholeFrom } from "../sums/minute-sums.sql";
import { findLastSummedEntry } from "../sums/sum-calls.sql";
import {
  buildCondition,
  buildPlaceColumns,
  type Condition,
  type RangeQuery,
  type UsagePart,
} from "./range-query";
import { readSumParts } from "./sum-parts.sql";
import { cutIntoSpans, type UsageSpan } from "./usage-spans";

/** If more charges than this are unsummed, they are left out and reported as pending. */
const MAX_UNSUMMED = 20_000;

/** Returns the row sources of a query. Each call is in exactly one of them. */
export function readUsageParts(
  sqlite: Sqlite,
  query: RangeQuery,
): { parts: UsagePart[]; pendingCalls: number } {
  const lastSummedSeq = findLastSummedEntry(sqlite);
  const unsummed = readLastEntrySeq(sqlite) - lastSummedSeq;
  const hasPending = unsummed > MAX_UNSUMMED;
  const spans = cutIntoSpans(query, query.widthMs, minutesWholeFrom(sqlite));
  const parts = spans.flatMap((span) => {
    if (span.sumWidthMs === null) return readCallParts(query, span, ({ kind }) => byTime(kind, span));
    const beyond = hasPending
      ? []
      : readCallParts(query, span, ({ kind }) => unsummedBeyond(kind, lastSummedSeq));
    return [...readSumParts(sqlite, query, { ...span, width: span.sumWidthMs }), ...beyond];
  });
  return { parts, pendingCalls: hasPending ? unsummed : 0 };
}

/** The tables of ended calls. Each call has an id with the table's prefix. */
const sources = [
  { rows: "charges", kind: "txn", table: "ledger_entries", at: "started_at_ms", is: "kind = 'charge'" },
  { rows: "others", kind: "req", table: "uncharged_calls", at: "at_ms", is: "outcome <> 'refused'" },
] as const;
type Source = (typeof sources)[number];

function readCallParts(
  query: RangeQuery,
  { fromMs, toMs }: UsageSpan,
  among: (source: Source) => Condition,
): UsagePart[] {
  return sources.map((source) => {
    const { rows, table, at, is } = source;
    const [condition, groupCondition] = [buildCondition(query), among(source)];
    return {
      rows,
      columns: buildPlaceColumns(at, query),
      from: `FROM ${table} WHERE ${groupCondition.sql} AND ${is} AND ${at} >= ? AND ${at} < ? ${condition.sql}`,
      values: [...groupCondition.values, fromMs, toMs, ...condition.values],
    };
  });
}

const byTime = (kind: Source["kind"], { fromMs, toMs }: UsageSpan): Condition => ({
  sql: "id >= ? AND id < ?",
  values: [firstIdAt(kind, Math.max(0, fromMs - ID_LEAD_MS)), firstIdAt(kind, Math.max(0, toMs))],
});

const unsummedBeyond = (kind: Source["kind"], seq: number): Condition =>
  kind === "txn"
    ? { sql: "seq > ?", values: [seq] }
    : { sql: "id IN (SELECT id FROM unsummed_calls)", values: [] };
