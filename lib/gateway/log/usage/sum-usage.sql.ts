import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { toNano } from "@/lib/money/amount";
import { isOneBucket, type RangeQuery, type UsagePart } from "./range-query";
import { type RefusalSum, readRefusals } from "./refusal-sums.sql";
import { readCached } from "./row-cache";
import { readUsageParts } from "./usage-parts";
import { UsageTally } from "./usage-tally";

/** Tallies by the value of the grouping field; null for calls without a value, and without grouping. */
export type Tallies = Map<string | null, UsageTally>;

const REACHED = "outcome <> 'refused' AND outcome <> 'unsent'";
const FAILED = "outcome = 'provider_failed' OR outcome = 'interrupted'";

const TEXT = `sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
  coalesce(sum(cached_tokens), 0) AS cached_tokens`;
const TOKENS = `${TEXT}, sum(audio_prompt_tokens) AS audio_prompt_tokens, sum(audio_completion_tokens) AS audio_completion_tokens`;
const CHARGED = `${TEXT}, coalesce(sum(audio ->> 'prompt_tokens'), 0) AS audio_prompt_tokens,
  coalesce(sum(audio ->> 'completion_tokens'), 0) AS audio_completion_tokens`;
const AMOUNT = "cast(sum(amount) AS text) AS amount";
const COUNTED = `count(*) FILTER (WHERE ${REACHED}) AS requests, count(*) FILTER (WHERE ${FAILED}) AS errors`;

const figures: Record<UsagePart["rows"], string> = {
  sums: `coalesce(sum(calls) FILTER (WHERE ${REACHED}), 0) AS requests,
    coalesce(sum(calls) FILTER (WHERE ${FAILED}), 0) AS errors, ${TOKENS}, ${AMOUNT}`,
  "sums by dimension": `coalesce(sum(requests), 0) AS requests, coalesce(sum(errors), 0) AS errors, ${TOKENS}, ${AMOUNT}`,
  charges: `${COUNTED}, ${CHARGED}, ${AMOUNT}`,
  others: `${COUNTED}, 0 AS prompt_tokens, 0 AS completion_tokens, 0 AS cached_tokens, 0 AS audio_prompt_tokens,
    0 AS audio_completion_tokens, '0' AS amount`,
};

interface Row {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly requests: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly audio_prompt_tokens: number;
  readonly audio_completion_tokens: number;
  readonly amount: string;
}

/**
 * The figures of calls by bucket and group, except durations: from the sums, and call by call where calls are not
 * summed yet or a sum covers more than the range. Reads one snapshot.
 * @param refusals of these buckets and groups, if they were read already.
 */
export function sumUsage(
  sqlite: Sqlite,
  query: RangeQuery,
  refusals?: readonly RefusalSum[],
): { tallies: Tallies; pendingCalls: number } {
  return sqlite.transaction(() => {
    const sums = tallyCalls(sqlite, query);
    for (const { startMs, group, refusals: count } of refusals ?? readRefusals(sqlite, query))
      tallyIn(sums.tallies, group).addRefusals(startMs, count);
    return sums;
  })();
}

/** The sums of the calls that ended in a range, without refusals, and how many are still open. */
export function tallyCalls(sqlite: Sqlite, query: RangeQuery): { tallies: Tallies; pendingCalls: number } {
  return sqlite.transaction(() => {
    const tallies: Tallies = new Map();
    const { parts, pendingCalls } = readUsageParts(sqlite, query);
    for (const {
      rows,
      columns: place,
      from,
      values,
      version,
      readGroup = (value: string | null) => value,
    } of parts) {
      const sql = `SELECT ${place}, ${figures[rows]} ${from} GROUP BY ${isOneBucket(query) ? "2" : "1, 2"}`;
      const found =
        version === undefined
          ? sqlite.query<Row, SQLQueryBindings[]>(sql).iterate(...values)
          : readCached<Row>(sqlite, { sql, values, version });
      for (const row of found) addRow(tallyIn(tallies, readGroup(row.group_value)), row);
    }
    return { tallies, pendingCalls };
  })();
}

function addRow(tally: UsageTally, row: Row): void {
  tally.add(row.start_ms, {
    requests: row.requests,
    errors: row.errors,
    refusals: 0,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cachedTokens: row.cached_tokens,
    audioPromptTokens: row.audio_prompt_tokens,
    audioCompletionTokens: row.audio_completion_tokens,
    amount: toNano(BigInt(row.amount)),
  });
}

function tallyIn(tallies: Tallies, group: string | null): UsageTally {
  const tally = tallies.get(group) ?? new UsageTally();
  tallies.set(group, tally);
  return tally;
}
