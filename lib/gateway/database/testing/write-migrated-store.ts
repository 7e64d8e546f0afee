import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../migrate";
import { openSqlite } from "../open-sqlite";

let migratedStore: Promise<Uint8Array> | undefined;

/** Writes an empty migrated database to this path. Its migrations run once in a process. */
export async function writeMigratedStore(path: string): Promise<void> {
  migratedStore ??= migrateStore();
  writeFileSync(path, await migratedStore);
}

async function migrateStore(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-migrated-"));
  try {
    const path = join(folder, "gatehouse.sqlite");
    {
      using sqlite = openSqlite(path);
      sqlite.run("PRAGMA synchronous = OFF");
      await migrate(sqlite);
      sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
