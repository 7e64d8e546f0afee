import type { Database } from "bun:sqlite";

/** The number of the ledger's last entry; 0 for an empty ledger. */
export function readLastEntrySeq(sqlite: Database): number {
  const sql = "SELECT coalesce(max(seq), 0) AS seq FROM ledger_entries";
  // Some connections return integers as bigint.
  return Number(sqlite.query<{ seq: number | bigint }, []>(sql).get()?.seq ?? 0);
}
