import type { Database } from "bun:sqlite";
import { isOfEarlierVersion } from "../../database/migrate";
import { describeStoreFault, StoreFault } from "../../database/store-head";
import type { Check, LedgerRange } from "./check";

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
