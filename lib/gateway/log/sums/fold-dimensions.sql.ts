import { HOUR_MS } from "@/lib/contract/durations";
import { type Database, readSnapshot } from "../../database/database";
import { sql } from "../../database/fragment";
import { groupBy } from "../../lists/group-by";
import { readHistogram } from "../usage/usage-tally";
import { claimSums } from "./claim-sums.sql";
import {
  addToSums,
  DIMENSION_WIDTHS,
  dimensionsSpan,
  hoursKeptFrom,
  type SummedCalls,
  type SumPlace,
  sumByDimension,
  sumDimensions,
  writeSums,
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
export async function* foldDimensions(queries: Database): AsyncGenerator<void> {
  for (const width of DIMENSION_WIDTHS) {
    for (
      let startMs = await computeNextStart(queries, width);
      startMs !== null;
      startMs = await computeNextStart(queries, width)
    ) {
      yield* fold(queries, { width, startMs });
    }
  }
  for (const dimension of sumDimensions) yield* cutHours(queries, dimension);
}

/** Deletes the sums of hours that are no longer kept, an hour at a time. */
async function* cutHours(queries: Database, dimension: SumDimension): AsyncGenerator<void> {
  const isHour = sql`dimension = ${sql.lit(dimension)} AND width_ms = ${sql.lit(HOUR_MS)}`;
  const findOldest = async () => {
    const { rows } = await sql<{ start_ms: number | null }>`
      SELECT min(start_ms) AS start_ms FROM sums_by_dimension WHERE ${isHour}`.execute(queries);
    return rows[0]?.start_ms ?? Number.POSITIVE_INFINITY;
  };
  const until = await hoursKeptFrom(queries);
  for (let startMs = await findOldest(); startMs < until; startMs = await findOldest()) {
    await queries.transaction().execute(async (transaction) => {
      await claimSums(transaction);
      for (const table of ["sums_by_dimension", "latencies_by_dimension"])
        await sql`DELETE FROM ${sql.table(table)} WHERE ${isHour} AND start_ms <= ${startMs}`.execute(
          transaction,
        );
    });
    yield;
  }
}

async function* fold(queries: Database, sumPlace: SumPlace): AsyncGenerator<void> {
  // Read outside of the writing transactions, which must be short.
  const { calls, sums } = await readSnapshot(queries, async (snapshot) => ({
    calls: await countCalls(snapshot, sumPlace),
    sums: sumByDimension(await readRows(snapshot, sumPlace)),
  }));
  const { untilMs } = await dimensionsSpan(queries, sumPlace.width);
  /** Writes unless calls were added meanwhile, or another process was faster. @returns whether it has. */
  const writeIfSame = (write: (transaction: Database) => Promise<unknown>) =>
    queries.transaction().execute(async (transaction) => {
      await claimSums(transaction);
      if ((await countCalls(transaction, sumPlace)) !== calls) return false;
      if ((await dimensionsSpan(transaction, sumPlace.width)).untilMs !== untilMs) return false;
      await write(transaction);
      return true;
    });
  for (let from = 0; from < sums.length; from += BATCH_SIZE) {
    const part = sums.slice(from, from + BATCH_SIZE);
    if (!(await writeIfSame((transaction) => writeSums(transaction, sumPlace, part)))) return;
    yield;
  }
  await writeIfSame((transaction) =>
    transaction
      .updateTable("sums_by_dimension_end")
      .set({ until_ms: sumPlace.startMs + sumPlace.width })
      .where("width_ms", "=", sumPlace.width)
      .execute(),
  );
  yield;
}

/** Calls are only ever added to sums, so the same number means the same sums. */
async function countCalls(queries: Database, { width, startMs }: SumPlace): Promise<number> {
  const row = await queries
    .selectFrom("call_totals")
    .select(({ fn }) => fn.sum<number | null>("calls").as("calls"))
    .where("width_ms", "=", width)
    .where("start_ms", "=", startMs)
    .executeTakeFirst();
  return row?.calls ?? 0;
}

async function readRows(queries: Database, { width, startMs }: SumPlace): Promise<Iterable<SummedCalls>> {
  const { rows } = await sql<SumRow>`
    SELECT project_id, key_id, model, provider, outcome, calls, cast(amount AS text) AS amount, prompt_tokens,
      completion_tokens, cached_tokens, audio_prompt_tokens, audio_completion_tokens, durations, first_bytes
    FROM call_sums WHERE width_ms = ${width} AND start_ms = ${startMs}`.execute(queries);
  return parseRows(rows);
}

function* parseRows(rows: readonly SumRow[]): Generator<SummedCalls> {
  for (const { durations, first_bytes, ...row } of rows)
    yield { ...row, durations: readHistogram(durations), firstBytes: readHistogram(first_bytes) };
}

/** The next hour or day with calls that was over when the last call was written; null if there is none. */
async function computeNextStart(queries: Database, width: number): Promise<number | null> {
  const { untilMs } = await dimensionsSpan(queries, width);
  const from = width === HOUR_MS ? Math.max(untilMs, await hoursKeptFrom(queries)) : untilMs;
  const row = await queries
    .selectFrom("call_totals")
    .select(({ fn }) => fn.min<number | null>("start_ms").as("start_ms"))
    .where("width_ms", "=", width)
    .where("start_ms", ">=", from)
    .executeTakeFirst();
  const startMs = row?.start_ms ?? null;
  return startMs !== null && startMs + width <= (await readLastWrittenMs(queries)) ? startMs : null;
}

/** Adds calls to the sums by dimension that exist already: they took so long that their hour or day was over before. */
export async function addLateCalls(
  queries: Database,
  calls: readonly (SummedCalls & { at_ms: number })[],
): Promise<void> {
  for (const width of DIMENSION_WIDTHS) {
    const { untilMs } = await dimensionsSpan(queries, width);
    const late = groupBy(
      calls.filter(({ at_ms }) => at_ms < untilMs),
      ({ at_ms }) => at_ms - (at_ms % width),
    );
    for (const [startMs, ofStart] of late)
      await addToSums(queries, { width, startMs }, sumByDimension(ofStart));
    if (late.size > 0)
      await queries
        .updateTable("sums_by_dimension_end")
        .set(({ eb }) => ({ late_additions: eb("late_additions", "+", 1) }))
        .where("width_ms", "=", width)
        .execute();
  }
}
