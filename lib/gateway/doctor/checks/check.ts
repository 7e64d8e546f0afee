import type { Database } from "bun:sqlite";
import { formatAmount, toNano } from "@/lib/money/amount";
import { isOfEarlierVersion } from "../../database/migrate";
import { describeStoreFault, StoreFault } from "../../database/store-head";
import type { LedgerPoint } from "../../ledger/writer/ledger-checkpoint.sql";

/** Ledger entries after `from`, which was verified, up to number `to`. */
export interface LedgerRange {
  readonly from: LedgerPoint;
  readonly to: bigint;
}

/** One invariant of the database. The connection it is given returns integers as bigint. */
export interface Check {
  /** The invariant's number and name, such as "I1 debits equal credits". */
  readonly title: string;
  /**
   * What was checked, and one sentence per fault with its correction; no fault is an empty list. Checks only the ledger
   * entries in `range`.
   */
  run(
    database: Database,
    nowMs: number,
    range: LedgerRange,
  ): { readonly checked: string; readonly faults: string[] };
}

/** The number of faults that are listed; further ones are only counted. */
const MAX_LISTED = 20;

/** The first faults in full, and the number of the others. */
export function limitFaults(faults: readonly string[]): string[] {
  const furtherCount = faults.length - MAX_LISTED;
  return furtherCount > 0
    ? [...faults.slice(0, MAX_LISTED), `… and ${furtherCount} more of the same.`]
    : [...faults];
}

export function queryRows<Row>(database: Database, sql: string): Row[] {
  return database.query<Row, []>(sql).all();
}

export function countRows(database: Database, sql: string): bigint {
  return database.query<{ n: bigint }, []>(`SELECT count(*) AS n ${sql}`).get()?.n ?? 0n;
}

/** The number of the ledger's last entry; 0 for an empty ledger. */
export function readLastSeq(database: Database): bigint {
  return (
    queryRows<{ seq: bigint | null }>(database, "SELECT max(seq) AS seq FROM ledger_entries")[0]?.seq ?? 0n
  );
}

/** The time at which the last entry was written; 0 for an empty ledger. */
export function readLastWritten(database: Database): number {
  const sql = "SELECT created_at_ms AS at_ms FROM ledger_entries ORDER BY seq DESC LIMIT 1";
  return Number(queryRows<{ at_ms: bigint }>(database, sql)[0]?.at_ms ?? 0);
}

/** The SQL condition for the entries of a range. */
export function inRange({ from, to }: LedgerRange, seq = "seq"): string {
  return `${seq} > ${from.seq} AND ${seq} <= ${to}`;
}

/** All triggers with their SQL. */
export function readTriggers(database: Database): ReadonlyMap<string, string> {
  const triggers = queryRows<{ name: string; sql: string }>(
    database,
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  );
  return new Map(triggers.map(({ name, sql }) => [name, sql]));
}

/** Reports triggers that should refuse a change and are missing or altered. */
export function findGuardFaults(database: Database, guards: readonly string[]): string[] {
  const present = readTriggers(database);
  return guards.flatMap((guard) => {
    const sql = present.get(guard);
    if (sql?.includes("RAISE(ABORT")) return [];
    const what = sql ? "refuses nothing any more" : "is gone";
    return [`The trigger ${guard} ${what}: rows can be altered. Restore a backup.`];
  });
}

/** Turns an exception into a fault: rows that were forged by hand may not even parse. The other checks still run. */
export function runSafely(
  { run }: Check,
  database: Database,
  nowMs: number,
  range: LedgerRange,
): ReturnType<Check["run"]> {
  try {
    return run(database, nowMs, range);
  } catch (error) {
    if (describeStoreFault(error, database.filename) instanceof StoreFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { checked: "not to its end", faults: [describe(message, database)] };
  }
}

function describe(message: string, database: Database): string {
  if (/^no such (?:column|table)/.test(message) && isOfEarlierVersion(database))
    return `An earlier version of Gatehouse wrote the database (${message}): start Gatehouse once, then run doctor again.`;
  return `What stands in the database can't be read: ${message}. Somebody wrote to it by hand: compare with a backup.`;
}

/** Returns `1 entry` or `1200 entries`. The plural ends in `s` unless it is given. */
export function formatCount(count: number | bigint, singular: string, plural = `${singular}s`): string {
  return `${count} ${Number(count) === 1 ? singular : plural}`;
}

/** Writes nano-units, as stored, as a decimal string with at least two decimals. */
export const formatNano = (amount: bigint) => formatAmount(toNano(amount));
