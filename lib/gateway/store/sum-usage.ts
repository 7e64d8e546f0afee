import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { firstIdOf } from "@/lib/contract/ids";
import type { UsageDimension } from "@/lib/contract/operations/usage-summary";
import { toNano } from "@/lib/money/amount";
import { bucketOf, readHistogram } from "../usage/histogram";
import type { UsageFilter, UsageQuestion } from "../usage/usage-summary";
import { NO_USAGE, UsageTally } from "../usage/usage-tally";
import { lastEntryOf, MINUTE_MS, minutesWholeFrom, summedUntil } from "./sum-calls";
import { spansOf, type UsageSpan } from "./usage-spans";

/** Not summed yet: more charges than these are left out, and told as pending. */
const MOST_UNSUMMED = 20_000;
/** An id is made a moment before its call is admitted: its body has to come in first. */
const ID_LEAD_MS = 10 * MINUTE_MS;

/** By the value that a call is grouped by; null where it has none, or nothing is grouped. */
export type Tallies = Map<string | null, UsageTally>;

const REACHED = "outcome <> 'refused' AND outcome <> 'unsent'";
const FAILED = "outcome = 'provider_failed' OR outcome = 'interrupted'";

const groupings: Record<UsageDimension, string> = {
  project_id: "project_id",
  model: "model",
  api_key_id: "CASE WHEN key_id LIKE 'user\\_%' ESCAPE '\\' THEN NULL ELSE key_id END",
  user_id: "CASE WHEN key_id LIKE 'user\\_%' ESCAPE '\\' THEN key_id END",
};

type Question = Pick<UsageQuestion, "filter" | "fromMs" | "toMs" | "widthMs" | "groupBy">;

interface Row {
  readonly start_ms: number;
  readonly of: string | null;
  readonly requests: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly amount: string;
}

interface LatencyRow extends Pick<Row, "start_ms" | "of"> {
  readonly durations: string;
  readonly first_bytes: string;
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SQLQueryBindings[];
}

/**
 * What calls come to by buckets and groups: by the sums, and one by one where they are not summed or a sum doesn't fit. Reads in one
 * snapshot, however the sums go on.
 */
export function sumUsage(sqlite: Sqlite, question: Question): { tallies: Tallies; pendingCalls: number } {
  return sqlite.transaction(() => {
    const tallies: Tallies = new Map();
    const summed = summedUntil(sqlite);
    const unsummed = lastEntryOf(sqlite) - summed;
    const spans = spansOf(question, question.widthMs, minutesWholeFrom(sqlite));
    for (const span of spans) {
      if (span.sumsOf === null) addCalls(sqlite, tallies, question, span, allOf(span));
      else {
        addSums(sqlite, tallies, question, span);
        if (unsummed <= MOST_UNSUMMED) addCalls(sqlite, tallies, question, span, unsummedBeyond(summed));
      }
    }
    addRefusals(sqlite, tallies, question);
    return { tallies, pendingCalls: unsummed <= MOST_UNSUMMED ? 0 : unsummed };
  })();
}

function addSums(
  sqlite: Sqlite,
  tallies: Tallies,
  { filter, widthMs, groupBy }: Question,
  span: UsageSpan,
): void {
  const isOfAll = groupBy === null && filter.projectIds === null && !filter.model && !filter.keyIds;
  const table = isOfAll ? "call_totals" : "call_sums";
  const { sql, values } = conditionOf(filter);
  const where = `FROM ${table} WHERE width_ms = ${span.sumsOf} AND start_ms >= ? AND start_ms < ? ${sql}`;
  const place = `start_ms - start_ms % ${widthMs} AS start_ms, ${groupBy ? groupings[groupBy] : "NULL"} AS "of"`;
  const bindings = [span.fromMs, span.toMs, ...values];
  const rows = sqlite.query<Row, SQLQueryBindings[]>(
    `SELECT ${place}, coalesce(sum(calls) FILTER (WHERE ${REACHED}), 0) AS requests,
       coalesce(sum(calls) FILTER (WHERE ${FAILED}), 0) AS errors, sum(prompt_tokens) AS prompt_tokens,
       sum(completion_tokens) AS completion_tokens, cast(sum(amount) AS text) AS amount
     ${where} GROUP BY 1, 2`,
  );
  for (const row of rows.all(...bindings)) addRow(tallies, row);
  const latencies = sqlite.query<LatencyRow, SQLQueryBindings[]>(
    `SELECT ${place}, durations, first_bytes ${where} AND durations <> ''`,
  );
  for (const { start_ms, of, durations, first_bytes } of latencies.iterate(...bindings)) {
    tallyIn(tallies, of).addLatencies(start_ms, {
      durations: readHistogram(durations),
      firstBytes: readHistogram(first_bytes),
    });
  }
}

/** A table of calls that ended, each of which has an id with this prefix. */
const sources = [
  {
    kind: "txn",
    table: "ledger_entries",
    at: "started_at_ms",
    is: "kind = 'charge'",
    sums: "sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens, cast(sum(amount) AS text) AS amount",
  },
  {
    kind: "req",
    table: "uncharged_calls",
    at: "at_ms",
    is: "outcome <> 'refused'",
    sums: "0 AS prompt_tokens, 0 AS completion_tokens, '0' AS amount",
  },
] as const;
type Source = (typeof sources)[number];

const allOf =
  ({ fromMs, toMs }: UsageSpan) =>
  ({ kind }: Source): Condition => ({
    sql: "id >= ? AND id < ?",
    values: [firstIdOf(kind, Math.max(0, fromMs - ID_LEAD_MS)), firstIdOf(kind, Math.max(0, toMs))],
  });

const unsummedBeyond =
  (seq: number) =>
  ({ kind }: Source): Condition =>
    kind === "txn"
      ? { sql: "seq > ?", values: [seq] }
      : { sql: "id IN (SELECT id FROM unsummed_calls)", values: [] };

function addCalls(
  sqlite: Sqlite,
  tallies: Tallies,
  { filter, widthMs, groupBy }: Question,
  { fromMs, toMs }: UsageSpan,
  among: (source: Source) => Condition,
): void {
  for (const source of sources) {
    const { table, at, is, sums } = source;
    const [asked, looked] = [conditionOf(filter), among(source)];
    const place = `${at} - ${at} % ${widthMs} AS start_ms, ${groupBy ? groupings[groupBy] : "NULL"} AS "of"`;
    const where = `FROM ${table} WHERE ${looked.sql} AND ${is} AND ${at} >= ? AND ${at} < ? ${asked.sql}`;
    const bindings = [...looked.values, fromMs, toMs, ...asked.values];
    const rows = sqlite.query<Row, SQLQueryBindings[]>(
      `SELECT ${place}, count(*) FILTER (WHERE ${REACHED}) AS requests, count(*) FILTER (WHERE ${FAILED}) AS errors,
         ${sums} ${where} GROUP BY 1, 2`,
    );
    for (const row of rows.all(...bindings)) addRow(tallies, row);
    const times = sqlite.query<
      { start_ms: number; of: string | null; duration: number | null; first: number | null },
      SQLQueryBindings[]
    >(`SELECT ${place}, duration_ms AS duration, first_byte_ms AS first ${where} AND outcome = 'completed'`);
    for (const { start_ms, of, duration, first } of times.iterate(...bindings)) {
      tallyIn(tallies, of).addLatencies(start_ms, { durations: once(duration), firstBytes: once(first) });
    }
  }
}

const once = (ms: number | null) => (ms === null ? [] : [[bucketOf(ms), 1] as const]);

/** Refusals are counted as they are written, and by the minute. */
function addRefusals(
  sqlite: Sqlite,
  tallies: Tallies,
  { filter, fromMs, toMs, widthMs, groupBy }: Question,
): void {
  const { sql, values } = conditionOf(filter);
  const rows = sqlite.query<{ start_ms: number; of: string | null; refusals: number }, SQLQueryBindings[]>(
    `SELECT minute_ms - minute_ms % ${widthMs} AS start_ms, ${groupBy ? groupings[groupBy] : "NULL"} AS "of",
       sum(refusals) AS refusals FROM refusal_counts WHERE minute_ms >= ? AND minute_ms < ? ${sql} GROUP BY 1, 2`,
  );
  const from = fromMs - (fromMs % MINUTE_MS);
  for (const { start_ms, of, refusals } of rows.all(from, toMs, ...values)) {
    tallyIn(tallies, of).add(start_ms, { ...NO_USAGE, refusals });
  }
}

function addRow(tallies: Tallies, row: Row): void {
  const { start_ms, of, requests, errors, prompt_tokens, completion_tokens, amount } = row;
  tallyIn(tallies, of).add(start_ms, {
    requests,
    errors,
    refusals: 0,
    promptTokens: prompt_tokens,
    completionTokens: completion_tokens,
    amount: toNano(BigInt(amount)),
  });
}

function tallyIn(tallies: Tallies, of: string | null): UsageTally {
  const tally = tallies.get(of) ?? new UsageTally();
  tallies.set(of, tally);
  return tally;
}

function conditionOf({ projectIds, model, keyIds = [] }: UsageFilter): Condition {
  const isIn = "AND project_id IN (SELECT value FROM json_each(?))";
  return {
    sql: [
      projectIds === null ? "" : isIn,
      model === undefined ? "" : "AND model = ?",
      ...keyIds.map(() => "AND key_id = ?"),
    ].join(" "),
    values: [
      ...(projectIds === null ? [] : [JSON.stringify(projectIds)]),
      ...(model === undefined ? [] : [model]),
      ...keyIds,
    ],
  };
}
