import type { Database as Sqlite } from "bun:sqlite";
import { firstIdOf } from "@/lib/contract/ids";
import { ID_LEAD_MS } from "../calls/id-lead";
import { lastEntrySeq } from "../ledger/last-entry-seq";
import { minutesWholeFrom } from "./minute-sums";
import { type Condition, conditionOf, placeOf, type RangeQuestion, type UsagePart } from "./range-question";
import { lastSummedEntry } from "./sum-calls";
import { sumsOf } from "./sum-parts";
import { spansOf, type UsageSpan } from "./usage-spans";

/** With more unsummed charges than this, they are left out and reported as pending. */
const MAX_UNSUMMED = 20_000;

/** Returns the row sources of a question. Each call is in exactly one of them. */
export function partsOf(
  sqlite: Sqlite,
  question: RangeQuestion,
): { parts: UsagePart[]; pendingCalls: number } {
  const summed = lastSummedEntry(sqlite);
  const unsummed = lastEntrySeq(sqlite) - summed;
  const hasPending = unsummed > MAX_UNSUMMED;
  const spans = spansOf(question, question.widthMs, minutesWholeFrom(sqlite));
  const parts = spans.flatMap((span) => {
    if (span.sumsOf === null) return callsOf(question, span, ({ kind }) => byTime(kind, span));
    const beyond = hasPending ? [] : callsOf(question, span, ({ kind }) => unsummedBeyond(kind, summed));
    return [...sumsOf(sqlite, question, { ...span, width: span.sumsOf }), ...beyond];
  });
  return { parts, pendingCalls: hasPending ? unsummed : 0 };
}

/** The tables of ended calls. Each call has an id with the table's prefix. */
const sources = [
  { rows: "charges", kind: "txn", table: "ledger_entries", at: "started_at_ms", is: "kind = 'charge'" },
  { rows: "others", kind: "req", table: "uncharged_calls", at: "at_ms", is: "outcome <> 'refused'" },
] as const;
type Source = (typeof sources)[number];

function callsOf(
  question: RangeQuestion,
  { fromMs, toMs }: UsageSpan,
  among: (source: Source) => Condition,
): UsagePart[] {
  return sources.map((source) => {
    const { rows, table, at, is } = source;
    const [asked, looked] = [conditionOf(question), among(source)];
    return {
      rows,
      place: placeOf(at, question),
      from: `FROM ${table} WHERE ${looked.sql} AND ${is} AND ${at} >= ? AND ${at} < ? ${asked.sql}`,
      values: [...looked.values, fromMs, toMs, ...asked.values],
    };
  });
}

const byTime = (kind: Source["kind"], { fromMs, toMs }: UsageSpan): Condition => ({
  sql: "id >= ? AND id < ?",
  values: [firstIdOf(kind, Math.max(0, fromMs - ID_LEAD_MS)), firstIdOf(kind, Math.max(0, toMs))],
});

const unsummedBeyond = (kind: Source["kind"], seq: number): Condition =>
  kind === "txn"
    ? { sql: "seq > ?", values: [seq] }
    : { sql: "id IN (SELECT id FROM unsummed_calls)", values: [] };
