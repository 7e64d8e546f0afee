import { Database as Sqlite } from "bun:sqlite";
import { createQueryBuilder, type Database } from "../database/database";
import { migrate } from "../database/migrate";

/** The real tables in memory: committed data survives a crash of the simulated process, and nothing else does. */
export class SimulatedStore {
  readonly sqlite: Sqlite;
  readonly database: Database;
  isBroken = false;

  constructor(template: Uint8Array) {
    this.sqlite = Sqlite.deserialize(template, { strict: true, safeIntegers: true });
    this.sqlite.run("PRAGMA foreign_keys = ON");
    this.database = createQueryBuilder(this.sqlite);
  }

  /** SQLite itself fails: all writes in read-only mode, or those that need a new page on a full disk. */
  breakDown(how: "read only" | "disk full"): void {
    this.isBroken = true;
    this.sqlite.run(how === "read only" ? "PRAGMA query_only = ON" : "PRAGMA max_page_count = 1");
  }

  repair(): void {
    this.isBroken = false;
    this.sqlite.run("PRAGMA query_only = OFF");
    this.sqlite.run("PRAGMA max_page_count = 1000000");
  }

  [Symbol.dispose](): void {
    this.sqlite.close();
  }
}

/** An empty migrated store that each seed starts from. */
export async function makeStoreTemplate(): Promise<Uint8Array> {
  using sqlite = new Sqlite(":memory:", { strict: true });
  // Small pages, so that a full disk fails in the middle of a batch and not always at its first row.
  sqlite.run("PRAGMA page_size = 512");
  await migrate(sqlite);
  return sqlite.serialize();
}
