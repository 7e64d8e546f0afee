import type { Database as Sqlite } from "bun:sqlite";

const NEWEST = [
  "SELECT created_at_ms AS at FROM ledger_entries ORDER BY seq DESC LIMIT 1",
  "SELECT at_ms AS at FROM audit_logs ORDER BY seq DESC LIMIT 1",
  "SELECT at_ms AS at FROM uncharged_calls ORDER BY id DESC LIMIT 1",
];

/** When an entry, an event or an uncharged call was stored last, in Unix milliseconds; null if there is none. */
export function readLastStored(sqlite: Sqlite): number | null {
  const times = NEWEST.flatMap((sql) => sqlite.query<{ at: number }, []>(sql).get()?.at ?? []);
  return times.length > 0 ? Math.max(...times) : null;
}
