import type { Database } from "bun:sqlite";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { minutesWholeAt } from "../../log/sums/minute-sums.sql";
import { formatCount, formatNano } from "../format-figures";
import { type Check, countRows, limitFaults, queryRows, readLastWritten } from "./check";

interface Difference {
  start_ms: bigint;
  project_id: string;
  key_id: string;
  model: string;
  provider: string;
  calls: bigint;
  amount: bigint;
  tokens: bigint;
  cached: bigint;
}

const CHARGES = `SELECT started_at_ms AS at_ms, project_id, key_id, model, coalesce(provider, '') AS provider, outcome, status,
  '' AS refused_by, amount, prompt_tokens + completion_tokens AS tokens, coalesce(cached_tokens, 0) AS cached,
  coalesce(audio ->> 'prompt_tokens', 0) AS audio_prompt_tokens,
  coalesce(audio ->> 'completion_tokens', 0) AS audio_completion_tokens
  FROM ledger_entries WHERE kind = 'charge' AND seq <= (SELECT seq FROM call_sums_end)`;
const OTHERS = `SELECT at_ms, project_id, key_id, model, coalesce(provider, '') AS provider, outcome, status,
  coalesce(refused_by, '') AS refused_by, 0 AS amount, 0 AS tokens, 0 AS cached,
  0 AS audio_prompt_tokens, 0 AS audio_completion_tokens
  FROM uncharged_calls WHERE id NOT IN (SELECT id FROM unsummed_calls)`;

/** The number of calls that a histogram counts. */
export const measured = (column: string) =>
  `(SELECT coalesce(sum(value), 0) FROM json_each(iif(${column} = '', '{}', ${column})))`;

const PLACE = "start_ms, project_id, key_id, model, provider, outcome, status, refused_by";

/**
 * Deleted calls stay in the sums, which may then count more calls. Money and tokens always match exactly; those of
 * audio may be more than in the sums of calls from before audio was summed.
 */
const findDifferences = (width: number, fromMs: number) => `
  WITH counted AS (
    SELECT at_ms - at_ms % ${width} AS start_ms, project_id, key_id, model, provider, outcome, status, refused_by,
      count(*) AS calls, sum(amount) AS amount, sum(tokens) AS tokens, sum(cached) AS cached,
      sum(audio_prompt_tokens) AS audio_prompt_tokens, sum(audio_completion_tokens) AS audio_completion_tokens
    FROM (${CHARGES} UNION ALL ${OTHERS}) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  )
  SELECT ${PLACE}, sum(calls) AS calls, sum(amount) AS amount, sum(tokens) AS tokens, sum(cached) AS cached FROM (
    SELECT ${PLACE}, calls, amount, prompt_tokens + completion_tokens AS tokens, cached_tokens AS cached,
      audio_prompt_tokens, audio_completion_tokens FROM call_sums WHERE width_ms = ${width}
    UNION ALL SELECT ${PLACE}, -calls, -amount, -tokens, -cached, -audio_prompt_tokens, -audio_completion_tokens FROM counted
  ) WHERE start_ms >= ${fromMs} GROUP BY ${PLACE}
  HAVING sum(amount) <> 0 OR sum(tokens) <> 0 OR sum(cached) <> 0 OR sum(calls) < 0
    OR sum(audio_prompt_tokens) > 0 OR sum(audio_completion_tokens) > 0
    OR sum(calls) > 0 AND start_ms >= (SELECT coalesce(min(at_ms), 9e15) FROM uncharged_calls)`;

/** Totals cover all projects, keys and models; histograms cover completed calls only. */
const UNLIKE_TOTALS = `
  SELECT width_ms, start_ms FROM (
    SELECT width_ms, start_ms, outcome, status, calls, amount, prompt_tokens + completion_tokens AS tokens, cached_tokens AS cached,
      audio_prompt_tokens, audio_completion_tokens, ${measured("durations")} AS measured FROM call_totals
    UNION ALL SELECT width_ms, start_ms, outcome, status, -calls, -amount, -prompt_tokens - completion_tokens,
      -cached_tokens, -audio_prompt_tokens, -audio_completion_tokens, -${measured("durations")} FROM call_sums
  ) GROUP BY width_ms, start_ms, outcome, status
  HAVING sum(calls) <> 0 OR sum(amount) <> 0 OR sum(tokens) <> 0 OR sum(cached) <> 0 OR sum(measured) <> 0
    OR sum(audio_prompt_tokens) <> 0 OR sum(audio_completion_tokens) <> 0`;

const sumsMatchCalls: Check = {
  title: "I15 sums of calls are what the calls come to",
  run(database) {
    const widths = [
      [DAY_MS, 0],
      [HOUR_MS, 0],
      [MINUTE_MS, readMinutesWhole(database)],
    ] as const;
    const wrong = widths.flatMap(([width, fromMs]) =>
      queryRows<Difference>(database, findDifferences(width, fromMs)).map((row) => describe(width, row)),
    );
    const unlike = queryRows<{ width_ms: bigint; start_ms: bigint }>(database, UNLIKE_TOTALS).map(
      ({ width_ms, start_ms }) =>
        `The totals of the ${describeWidth(Number(width_ms))} ${formatTime(start_ms)} are not those of its sums. ${MEND}`,
    );
    return {
      checked: `${formatCount(countRows(database, "FROM call_sums"), "sum")} of calls`,
      faults: limitFaults([...wrong, ...unlike]),
    };
  },
};

function readMinutesWhole(database: Database): number {
  const sql = "SELECT minutes_deleted_until_ms AS until_ms FROM call_sums_end";
  const [end] = queryRows<{ until_ms: bigint }>(database, sql);
  return minutesWholeAt(readLastWritten(database), Number(end?.until_ms ?? 0));
}

export const MEND =
  "Something wrote to the database by hand: the calls are right where I4 holds, and a backup has the sums.";

export const describeWidth = (width: number) =>
  width === DAY_MS ? "day" : width === HOUR_MS ? "hour" : "minute";
export const formatTime = (ms: bigint) => new Date(Number(ms)).toISOString();

function describe(width: number, difference: Difference) {
  const { start_ms, project_id, key_id, model, calls, amount, tokens, cached } = difference;
  const sumName = `${describeWidth(width)} ${formatTime(start_ms)} for ${model} by ${key_id} in ${project_id}`;
  return `The sums of the ${sumName} are off by ${calls} calls, ${tokens} tokens, ${cached} cached tokens and ${formatNano(amount)}. ${MEND}`;
}

export const sumChecks: readonly Check[] = [sumsMatchCalls];
