import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqlite } from "../../database/open-sqlite";
import { claimStore } from "../../database/store-guard";
import { writeMigratedStore } from "../../database/testing/write-migrated-store";
import { openSqliteFunds } from "../funds.sql";

async function openFunds(path: string) {
  using sqlite = openSqlite(path);
  const claim = claimStore(sqlite, path, "this process");
  return await openSqliteFunds({ claim, secret: new Uint8Array(32), onFailure: () => {} });
}

test("once the funds are closed, no connection is left, and the whole database is in its file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-closed-"));
  const path = join(folder, "gatehouse.sqlite");
  await writeMigratedStore(path);
  const funds = await openFunds(path);
  expect(readdirSync(folder)).toContain("gatehouse.sqlite-wal");
  await funds.close();
  expect(readdirSync(folder).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  rmSync(folder, { recursive: true });
});
