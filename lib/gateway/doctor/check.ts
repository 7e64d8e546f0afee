import type { Database } from "bun:sqlite";
import type { LedgerPoint } from "@/lib/gateway/store/ledger/ledger-checkpoint";

/** Entries of the ledger: those behind `from`, which was found in order, up to the one with the number `to`. */
export interface LedgerRange {
  readonly from: LedgerPoint;
  readonly to: bigint;
}

/** One invariant of the database. Integers are bigint on the connection it is given. */
export interface Check {
  /** Its number and name, such as "I1 debits equal credits". */
  readonly title: string;
  /**
   * What was looked at, and what is wrong with it, a sentence each with what to do; nothing wrong is an empty list. Of the ledger's
   * entries it looks at those of `range` alone.
   */
  run(
    database: Database,
    nowMs: number,
    range: LedgerRange,
  ): { readonly looked: string; readonly faults: string[] };
}

/** Further faults are counted, not listed. */
const MOST_LISTED = 20;

/** The first faults in full, and how many more there are. */
export function listed(faults: readonly string[]): string[] {
  const rest = faults.length - MOST_LISTED;
  return rest > 0 ? [...faults.slice(0, MOST_LISTED), `… and ${rest} more of the same.`] : [...faults];
}

export function rowsOf<Row>(database: Database, sql: string): Row[] {
  return database.query<Row, []>(sql).all();
}

export function countOf(database: Database, sql: string): bigint {
  return database.query<{ n: bigint }, []>(`SELECT count(*) AS n ${sql}`).get()?.n ?? 0n;
}

/** The number of the ledger's last entry; 0 where there is none. */
export function lastEntryOf(database: Database): bigint {
  return (
    rowsOf<{ seq: bigint }>(database, "SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries")[0]?.seq ?? 0n
  );
}

/** The entries of a range, in SQL. */
export function within({ from, to }: LedgerRange, seq = "seq"): string {
  return `${seq} > ${from.seq} AND ${seq} <= ${to}`;
}

/** Each trigger there is, with its SQL. */
export function triggersOf(database: Database): ReadonlyMap<string, string> {
  const triggers = rowsOf<{ name: string; sql: string }>(
    database,
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  );
  return new Map(triggers.map(({ name, sql }) => [name, sql]));
}

/** Triggers that refuse a change have to be there, and to refuse. */
export function faultsOfGuards(database: Database, guards: readonly string[]): string[] {
  const present = triggersOf(database);
  return guards.flatMap((guard) => {
    const sql = present.get(guard);
    if (sql?.includes("RAISE(ABORT")) return [];
    const what = sql ? "refuses nothing any more" : "is gone";
    return [`The trigger ${guard} ${what}: rows can be altered. Restore a backup.`];
  });
}
