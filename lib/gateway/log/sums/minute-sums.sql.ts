import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";
import { dialectOf, sql } from "../../database/fragment";
import { readLastEntryMs } from "../../ledger/reads/read-spent.sql";
import { claimSums } from "./claim-sums.sql";

/** How long sums by minute are kept. Longer ranges use hours. */
const MINUTES_KEPT_MS = 2 * DAY_MS;
/** The range of minutes whose sums are deleted in one step. */
const CUT_MS = 15 * MINUTE_MS;

const tables = ["call_sums", "call_totals"] as const;

/**
 * Deletes some of the expired sums by minute, in both tables at once, so that the totals of a minute always match its
 * sums.
 * @returns true if there may be more.
 */
export async function cutMinutes(queries: Database): Promise<boolean> {
  const until = await minutesKeptFrom(queries);
  const oldestMinutes: number[] = [];
  for (const table of tables) oldestMinutes.push(await findOldestMinute(queries, table));
  const oldest = Math.min(...oldestMinutes);
  if (oldest >= until) return false;
  const cutMs = Math.min(until, oldest + CUT_MS);
  await queries.transaction().execute(async (transaction) => {
    await claimSums(transaction);
    const lastMinutes: number[] = [];
    for (const table of tables) lastMinutes.push(await findLastMinute(transaction, table, cutMs));
    await noteDeletedMinute(transaction, Math.max(...lastMinutes));
    for (const table of tables)
      await sql`DELETE FROM ${sql.table(table)} WHERE width_ms = ${sql.lit(MINUTE_MS)} AND start_ms < ${cutMs}`.execute(
        transaction,
      );
  });
  return true;
}

type SumTable = (typeof tables)[number];

/** Returns the start of the oldest sum by minute; infinity if there is none. */
async function findOldestMinute(queries: Database, table: SumTable): Promise<number> {
  const { rows } = await sql<{ start_ms: number | null }>`
    SELECT min(start_ms) AS start_ms FROM ${sql.table(table)} WHERE width_ms = ${sql.lit(MINUTE_MS)}`.execute(
    queries,
  );
  return rows[0]?.start_ms ?? Number.POSITIVE_INFINITY;
}

/** Returns the start of the last sum by minute before a time; 0 if there is none. */
async function findLastMinute(queries: Database, table: SumTable, beforeMs: number): Promise<number> {
  const { rows } = await sql<{ start_ms: number | null }>`
    SELECT max(start_ms) AS start_ms FROM ${sql.table(table)}
    WHERE width_ms = ${sql.lit(MINUTE_MS)} AND start_ms < ${beforeMs}`.execute(queries);
  return rows[0]?.start_ms ?? 0;
}

/**
 * Stores that the sums of the minute at `atMs` are not whole. Their age doesn't say so once a clock that was ahead is
 * corrected.
 */
export async function noteDeletedMinute(queries: Database, atMs: number): Promise<void> {
  const end = sql.lit(atMs - (atMs % MINUTE_MS) + MINUTE_MS);
  const later = dialectOf(queries).greatest(sql.ref("minutes_deleted_until_ms"), end);
  await queries.updateTable("call_sums_end").set({ minutes_deleted_until_ms: later }).execute();
}

/** The start of the sums of minutes. It follows from the last written call, so that every reader gets the same. */
export const minutesKeptFrom = async (queries: Database) => minutesKeptAt(await readLastWrittenMs(queries));

function minutesKeptAt(writtenMs: number): number {
  const from = writtenMs - MINUTES_KEPT_MS;
  return from - (from % MINUTE_MS);
}

/** The time at which the last call was written; 0 without calls. */
export const readLastWrittenMs = async (queries: Database) => (await readLastEntryMs(queries)) ?? 0;

/**
 * Returns the time from which the sums by minute are complete, by when the last call was written and until when sums
 * were deleted. Calls are summed some time after they arrive, so not all kept minutes are complete.
 */
export const minutesWholeAt = (writtenMs: number, deletedUntilMs: number) =>
  Math.max(minutesKeptAt(writtenMs) + HOUR_MS, deletedUntilMs);

export async function minutesWholeFrom(queries: Database): Promise<number> {
  const row = await queries.selectFrom("call_sums_end").select("minutes_deleted_until_ms").executeTakeFirst();
  return minutesWholeAt(await readLastWrittenMs(queries), row?.minutes_deleted_until_ms ?? 0);
}
