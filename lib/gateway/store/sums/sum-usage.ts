import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { MINUTE_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { NO_USAGE, UsageTally } from "../../usage/usage-tally";
import {
  buildCondition,
  buildPlaceColumns,
  isOneBucket,
  type RangeQuestion,
  type UsagePart,
} from "./range-question";
import { readUsageParts } from "./usage-parts";

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
  readonly of: string | null;
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
 * The figures of calls by bucket and group, except durations: from the sums, and call by call where calls are not summed
 * yet or a sum covers more than the range. Reads one snapshot.
 */
export function sumUsage(
  sqlite: Sqlite,
  question: RangeQuestion,
): { tallies: Tallies; pendingCalls: number } {
  return sqlite.transaction(() => {
    const sums = tallyCalls(sqlite, question);
    addRefusals(sqlite, sums.tallies, question);
    return sums;
  })();
}

/** The same for calls that ended, without refusals. */
export function tallyCalls(
  sqlite: Sqlite,
  question: RangeQuestion,
): { tallies: Tallies; pendingCalls: number } {
  return sqlite.transaction(() => {
    const tallies: Tallies = new Map();
    const { parts, pendingCalls } = readUsageParts(sqlite, question);
    for (const {
      rows,
      columns: place,
      from,
      values,
      readGroup: groupOf = (of: string | null) => of,
    } of parts) {
      const statement = sqlite.query<Row, SQLQueryBindings[]>(
        `SELECT ${place}, ${figures[rows]} ${from} GROUP BY ${isOneBucket(question) ? "2" : "1, 2"}`,
      );
      for (const row of statement.iterate(...values)) addRow(tallyIn(tallies, groupOf(row.of)), row);
    }
    return { tallies, pendingCalls };
  })();
}

/** Refusals are counted by the minute as they are written. They have no provider. */
function addRefusals(sqlite: Sqlite, tallies: Tallies, question: RangeQuestion): void {
  const { filter, fromMs, toMs, widthMs, groups } = question;
  const isByProvider = question.groupBy === "provider";
  if (filter.provider !== undefined || (isByProvider && groups && !groups.includes(null))) return;
  const groupBy = isByProvider ? null : question.groupBy;
  const { sql, values } = buildCondition(
    isByProvider ? { ...question, groupBy, groups: undefined } : question,
  );
  const rows = sqlite.query<{ start_ms: number; of: string | null; refusals: number }, SQLQueryBindings[]>(
    `SELECT ${buildPlaceColumns("minute_ms", { widthMs, groupBy, toMs })}, sum(refusals) AS refusals FROM refusal_counts
     WHERE minute_ms >= ? AND minute_ms < ? ${sql} GROUP BY 1, 2`,
  );
  const from = fromMs - (fromMs % MINUTE_MS);
  for (const { start_ms, of, refusals } of rows.all(from, toMs, ...values)) {
    tallyIn(tallies, of).add(start_ms, { ...NO_USAGE, refusals });
  }
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

function tallyIn(tallies: Tallies, of: string | null): UsageTally {
  const tally = tallies.get(of) ?? new UsageTally();
  tallies.set(of, tally);
  return tally;
}
