import type { Database } from "bun:sqlite";

/** One invariant of the database. Integers are bigint on the connection it is given. */
export interface Check {
  /** Its name in words, such as "debits equal credits". */
  readonly title: string;
  /** What was looked at, and what is wrong with it, a sentence each with what to do; nothing wrong is an empty list. */
  run(database: Database, nowMs: number): { readonly looked: string; readonly faults: string[] };
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
