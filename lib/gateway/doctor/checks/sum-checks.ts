import type { Database } from "bun:sqlite";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { DIMENSION_WIDTHS, dimensionsFrom, sumDimensions } from "../../log/sums/dimension-sums.sql";
import { minutesWholeAt } from "../../log/sums/minute-sums.sql";
import type { SumDimension } from "../../log/sums/sum-schema";
import {
  type Check,
  countRows,
  formatCount,
  formatNano,
  limitFaults,
  queryRows,
  readLastWritten,
} from "./check";

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
const measured = (column: string) =>
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

const MEND =
  "Something wrote to the database by hand: the calls are right where I4 holds, and a backup has the sums.";

const describeWidth = (width: number) => (width === DAY_MS ? "day" : width === HOUR_MS ? "hour" : "minute");
const formatTime = (ms: bigint) => new Date(Number(ms)).toISOString();

function describe(width: number, difference: Difference) {
  const { start_ms, project_id, key_id, model, calls, amount, tokens, cached } = difference;
  const sumName = `${describeWidth(width)} ${formatTime(start_ms)} for ${model} by ${key_id} in ${project_id}`;
  return `The sums of the ${sumName} are off by ${calls} calls, ${tokens} tokens, ${cached} cached tokens and ${formatNano(amount)}. ${MEND}`;
}

export const sumChecks: readonly Check[] = [sumsMatchCalls];

/**
 * Selects the values whose sums by one column differ from the sums by all columns. I15 compares those with the calls.
 */
const buildDifferencesQuery = (dimension: SumDimension) => `
  SELECT value, sum(requests) AS requests, sum(errors) AS errors, sum(tokens) AS tokens, sum(cached) AS cached,
    sum(audio_prompt_tokens) AS audio_prompt_tokens, sum(audio_completion_tokens) AS audio_completion_tokens,
    sum(amount) AS amount FROM (
    SELECT value, requests, errors, prompt_tokens + completion_tokens AS tokens, cached_tokens AS cached,
      audio_prompt_tokens, audio_completion_tokens, amount FROM sums_by_dimension
    WHERE dimension = '${dimension}' AND width_ms = ?1 AND start_ms = ?2
    UNION ALL
    SELECT ${dimension}, -iif(outcome = 'unsent', 0, calls), -iif(outcome IN ('provider_failed', 'interrupted'), calls, 0),
      -prompt_tokens - completion_tokens, -cached_tokens, -audio_prompt_tokens, -audio_completion_tokens, -amount FROM call_sums
    WHERE width_ms = ?1 AND start_ms = ?2 AND outcome <> 'refused'
  ) GROUP BY value
  HAVING sum(requests) <> 0 OR sum(errors) <> 0 OR sum(tokens) <> 0 OR sum(cached) <> 0 OR sum(amount) <> 0
    OR sum(audio_prompt_tokens) <> 0 OR sum(audio_completion_tokens) <> 0`;

interface DimensionDifference {
  readonly value: string;
  readonly requests: bigint;
  readonly tokens: bigint;
  readonly amount: bigint;
}

const MEASURED = `sum(${measured("durations")} + ${measured("first_bytes")})`;
const buildLatencyQuery = (dimension: SumDimension) => `
  SELECT 1 WHERE (SELECT coalesce(${MEASURED}, 0) FROM latencies_by_dimension
      WHERE dimension = '${dimension}' AND width_ms = ?1 AND start_ms = ?2)
    <> (SELECT coalesce(${MEASURED}, 0) FROM call_totals WHERE width_ms = ?1 AND start_ms = ?2)`;

/** The hours or days that are read from the sums by dimension. */
const STARTS = `SELECT start_ms FROM call_totals WHERE width_ms = ?1 AND start_ms >= ?2 AND start_ms < ?3
  UNION SELECT start_ms FROM sums_by_dimension WHERE dimension = ?4 AND width_ms = ?1 AND start_ms >= ?2 AND start_ms < ?3`;

export const dimensionCheck: Check = {
  title: "I24 sums by project, key, model and provider are what the sums of calls come to",
  run(database) {
    const faults = sumDimensions.flatMap((dimension) =>
      DIMENSION_WIDTHS.flatMap((width) => findFaults(database, dimension, width)),
    );
    return {
      checked: `${countRows(database, "FROM sums_by_dimension")} sums by dimension`,
      faults: limitFaults(faults),
    };
  },
};

function findFaults(database: Database, dimension: SumDimension, width: number): string[] {
  const [end] = database
    .query<{ until_ms: bigint }, [number]>("SELECT until_ms FROM sums_by_dimension_end WHERE width_ms = ?")
    .all(width);
  const fromMs = dimensionsFrom(width, readLastWritten(database));
  const untilMs = Number(end?.until_ms ?? 0);
  const starts = database
    .query<{ start_ms: bigint }, [number, number, number, string]>(STARTS)
    .all(width, fromMs, untilMs, dimension);
  return starts.flatMap(({ start_ms: startMs }) => {
    const sumName = `the ${describeWidth(width)} ${formatTime(startMs)}`;
    const wrong = database
      .query<DimensionDifference, [number, bigint]>(buildDifferencesQuery(dimension))
      .all(width, startMs)
      .map(
        ({ value, requests, tokens, amount }) =>
          `The sum of ${sumName} by ${dimension} is off for ${value || "none"} by ${requests} calls, ${tokens} tokens and ${formatNano(amount)}. ${MEND}`,
      );
    const isOff = database.query(buildLatencyQuery(dimension)).get(width, startMs) !== null;
    return isOff
      ? [...wrong, `The latencies of ${sumName} by ${dimension} are not those of its calls. ${MEND}`]
      : wrong;
  });
}
