import type { Database } from "bun:sqlite";
import { DIMENSION_WIDTHS, dimensionsFrom, sumDimensions } from "../../log/sums/dimension-sums.sql";
import type { SumDimension } from "../../log/sums/sum-schema";
import { formatNano } from "../format-figures";
import { type Check, countRows, limitFaults, readLastWritten } from "./check";
import { describeWidth, formatTime, MEND, measured } from "./sum-checks";

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

interface Difference {
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
      .query<Difference, [number, bigint]>(buildDifferencesQuery(dimension))
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
