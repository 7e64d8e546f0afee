import { Database as Sqlite } from "bun:sqlite";
import { type Database, queryBuilderOf } from "../store/database";
import { migrate } from "../store/migrate";

/** The real tables in memory: what is committed survives a crash of the simulated process, nothing else does. */
export class SimulatedStore {
  readonly sqlite: Sqlite;
  readonly database: Database;
  isBroken = false;

  constructor(template: Uint8Array) {
    this.sqlite = Sqlite.deserialize(template, { strict: true, safeIntegers: true });
    this.sqlite.run("PRAGMA foreign_keys = ON");
    this.database = queryBuilderOf(this.sqlite);
  }

  /** SQLite itself refuses: every write where it is read-only, those that need a new page where the disk is full. */
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

/** An empty store that is migrated, to start each seed from. */
export async function makeStoreTemplate(): Promise<Uint8Array> {
  using sqlite = new Sqlite(":memory:", { strict: true });
  // Small pages: a full disk is met in the middle of a batch, and not always by its first row.
  sqlite.run("PRAGMA page_size = 512");
  await migrate(sqlite);
  return sqlite.serialize();
}
