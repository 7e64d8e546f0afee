import type { Database as Sqlite } from "bun:sqlite";
import { HOUR_MS } from "@/lib/contract/durations";
import { groupBy } from "../../lists/group-by";
import { readHistogram } from "../usage/histogram";
import {
  addToSum,
  DIMENSION_WIDTHS,
  dimensionsSpan,
  hoursKeptFrom,
  type SummedCalls,
  type SumPlace,
  sumByDimension,
  sumDimensions,
  type ValueSum,
  writeSum,
} from "./dimension-sums.sql";
import { readLastWrittenMs } from "./minute-sums.sql";
import type { SumDimension } from "./sum-schema";

/** Sums written in one transaction: a few milliseconds, during which the ledger's writer may have to wait. */
const BATCH_SIZE = 200;

type SumRow = Omit<SummedCalls, "durations" | "firstBytes"> & {
  readonly durations: string;
  readonly first_bytes: string;
};

/**
 * Computes the sums by dimension of hours and days that are over, oldest first, and yields after each transaction.
 * Calls of an hour are read as few sums, so this costs less than adding each call. Until an hour or day is computed,
 * and for good after a crash in the midst of it, its rows are not read and are replaced later.
 */
export function* foldDimensions(sqlite: Sqlite): Generator<void> {
  for (const width of DIMENSION_WIDTHS) {
    for (
      let startMs = computeNextStart(sqlite, width);
      startMs !== null;
      startMs = computeNextStart(sqlite, width)
    ) {
      yield* fold(sqlite, { width, startMs });
    }
  }
  for (const dimension of sumDimensions) yield* cutHours(sqlite, dimension);
}

/** Deletes the sums of hours that are no longer kept, an hour at a time. */
function* cutHours(sqlite: Sqlite, dimension: SumDimension): Generator<void> {
  const hourCondition = `dimension = '${dimension}' AND width_ms = ${HOUR_MS}`;
  const oldest = () =>
    sqlite
      .query<{ start_ms: number | null }, []>(
        `SELECT min(start_ms) AS start_ms FROM sums_by_dimension WHERE ${hourCondition}`,
      )
      .get()?.start_ms ?? Number.POSITIVE_INFINITY;
  const until = hoursKeptFrom(sqlite);
  for (let startMs = oldest(); startMs < until; startMs = oldest()) {
    sqlite
      .transaction(() => {
        for (const table of ["sums_by_dimension", "latencies_by_dimension"])
          sqlite.query(`DELETE FROM ${table} WHERE ${hourCondition} AND start_ms <= ?`).run(startMs);
      })
      .immediate();
    yield;
  }
}

function* fold(sqlite: Sqlite, sumPlace: SumPlace): Generator<void> {
  // Read outside of the writing transactions, which must be short.
  const { calls, sums } = sqlite.transaction(() => ({
    calls: countCalls(sqlite, sumPlace),
    sums: sumByDimension(readRows(sqlite, sumPlace)),
  }))();
  const { untilMs } = dimensionsSpan(sqlite, sumPlace.width);
  /** False if calls were added meanwhile, or another process was faster. */
  const isSame = () =>
    countCalls(sqlite, sumPlace) === calls && dimensionsSpan(sqlite, sumPlace.width).untilMs === untilMs;
  for (let from = 0; from < sums.length; from += BATCH_SIZE) {
    const part = sums.slice(from, from + BATCH_SIZE);
    if (!writeIf(sqlite, isSame, () => writeAll(sqlite, sumPlace, part))) return;
    yield;
  }
  writeIf(sqlite, isSame, () =>
    sqlite
      .query("UPDATE sums_by_dimension_end SET until_ms = ? WHERE width_ms = ?")
      .run(sumPlace.startMs + sumPlace.width, sumPlace.width),
  );
  yield;
}

function writeIf(sqlite: Sqlite, isSame: () => boolean, write: () => void): boolean {
  return sqlite
    .transaction(() => {
      if (!isSame()) return false;
      write();
      return true;
    })
    .immediate();
}

function writeAll(sqlite: Sqlite, sumPlace: SumPlace, sums: readonly ValueSum[]): void {
  for (const sum of sums) writeSum(sqlite, sumPlace, sum);
}

/** Calls are only ever added to sums, so the same number means the same sums. */
function countCalls(sqlite: Sqlite, { width, startMs }: SumPlace): number {
  const row = sqlite
    .query<{ calls: number | null }, [number, number]>(
      "SELECT sum(calls) AS calls FROM call_totals WHERE width_ms = ? AND start_ms = ?",
    )
    .get(width, startMs);
  return row?.calls ?? 0;
}

function* readRows(sqlite: Sqlite, { width, startMs }: SumPlace): Generator<SummedCalls> {
  const rows = sqlite.query<SumRow, [number, number]>(
    `SELECT project_id, key_id, model, provider, outcome, calls, cast(amount AS text) AS amount, prompt_tokens, completion_tokens,
       cached_tokens, audio_prompt_tokens, audio_completion_tokens, durations, first_bytes
     FROM call_sums WHERE width_ms = ? AND start_ms = ?`,
  );
  for (const { durations, first_bytes, ...row } of rows.iterate(width, startMs)) {
    yield { ...row, durations: readHistogram(durations), firstBytes: readHistogram(first_bytes) };
  }
}

/** The next hour or day with calls that was over when the last call was written; null if there is none. */
function computeNextStart(sqlite: Sqlite, width: number): number | null {
  const { untilMs } = dimensionsSpan(sqlite, width);
  const from = width === HOUR_MS ? Math.max(untilMs, hoursKeptFrom(sqlite)) : untilMs;
  const row = sqlite
    .query<{ start_ms: number | null }, [number, number]>(
      "SELECT min(start_ms) AS start_ms FROM call_totals WHERE width_ms = ? AND start_ms >= ?",
    )
    .get(width, from);
  const startMs = row?.start_ms ?? null;
  return startMs !== null && startMs + width <= readLastWrittenMs(sqlite) ? startMs : null;
}

/** Adds calls to the sums by dimension that exist already: they took so long that their hour or day was over before. */
export function addLateCalls(sqlite: Sqlite, calls: readonly (SummedCalls & { at_ms: number })[]): void {
  for (const width of DIMENSION_WIDTHS) {
    const { untilMs } = dimensionsSpan(sqlite, width);
    const late = groupBy(
      calls.filter(({ at_ms }) => at_ms < untilMs),
      ({ at_ms }) => at_ms - (at_ms % width),
    );
    for (const [startMs, ofStart] of late) {
      for (const sum of sumByDimension(ofStart)) addToSum(sqlite, { width, startMs }, sum);
    }
    if (late.size > 0)
      sqlite
        .query("UPDATE sums_by_dimension_end SET late_additions = late_additions + 1 WHERE width_ms = ?")
        .run(width);
  }
}
