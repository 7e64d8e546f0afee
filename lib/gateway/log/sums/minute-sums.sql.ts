import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";

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
export function cutMinutes(sqlite: Sqlite): boolean {
  const until = minutesKeptFrom(sqlite);
  const oldest = Math.min(...tables.map((table) => findOldestMinute(sqlite, table)));
  if (oldest >= until) return false;
  const cutMs = Math.min(until, oldest + CUT_MS);
  sqlite
    .transaction(() => {
      noteDeletedMinute(sqlite, Math.max(...tables.map((table) => findLastMinute(sqlite, table, cutMs))));
      for (const table of tables)
        sqlite.query(`DELETE FROM ${table} WHERE width_ms = ${MINUTE_MS} AND start_ms < ?`).run(cutMs);
    })
    .immediate();
  return true;
}

/** Returns the start of the oldest sum by minute; infinity if there is none. */
function findOldestMinute(sqlite: Sqlite, table: (typeof tables)[number]): number {
  const row = sqlite
    .query<{ start_ms: number | null }, []>(
      `SELECT min(start_ms) AS start_ms FROM ${table} WHERE width_ms = ${MINUTE_MS}`,
    )
    .get();
  return row?.start_ms ?? Number.POSITIVE_INFINITY;
}

/** Returns the start of the last sum by minute before a time; 0 if there is none. */
function findLastMinute(sqlite: Sqlite, table: (typeof tables)[number], beforeMs: number): number {
  const row = sqlite
    .query<{ start_ms: number | null }, [number]>(
      `SELECT max(start_ms) AS start_ms FROM ${table} WHERE width_ms = ${MINUTE_MS} AND start_ms < ?`,
    )
    .get(beforeMs);
  return row?.start_ms ?? 0;
}

/**
 * Stores that the sums of the minute at `atMs` are not whole. Their age doesn't say so once a clock that was ahead is
 * corrected.
 */
export function noteDeletedMinute(sqlite: Sqlite, atMs: number): void {
  sqlite
    .query("UPDATE call_sums_end SET minutes_deleted_until_ms = max(minutes_deleted_until_ms, ?)")
    .run(atMs - (atMs % MINUTE_MS) + MINUTE_MS);
}

/** The start of the sums of minutes. It follows from the last written call, so that every reader gets the same. */
export const minutesKeptFrom = (sqlite: Sqlite) => minutesKeptAt(readLastWrittenMs(sqlite));

function minutesKeptAt(writtenMs: number): number {
  const from = writtenMs - MINUTES_KEPT_MS;
  return from - (from % MINUTE_MS);
}

/** The time at which the last call was written; 0 without calls. */
export function readLastWrittenMs(sqlite: Sqlite): number {
  const row = sqlite
    .query<{ at_ms: number }, []>(
      "SELECT created_at_ms AS at_ms FROM ledger_entries ORDER BY seq DESC LIMIT 1",
    )
    .get();
  return Number(row?.at_ms ?? 0);
}

/**
 * Returns the time from which the sums by minute are complete, by when the last call was written and until when sums
 * were deleted. Calls are summed some time after they arrive, so not all kept minutes are complete.
 */
export const minutesWholeAt = (writtenMs: number, deletedUntilMs: number) =>
  Math.max(minutesKeptAt(writtenMs) + HOUR_MS, deletedUntilMs);

export function minutesWholeFrom(sqlite: Sqlite): number {
  const row = sqlite
    .query<{ until_ms: number }, []>("SELECT minutes_deleted_until_ms AS until_ms FROM call_sums_end")
    .get();
  return minutesWholeAt(readLastWrittenMs(sqlite), Number(row?.until_ms ?? 0));
}
