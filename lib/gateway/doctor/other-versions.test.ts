import type { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { sql } from "kysely";
import { migrate } from "../database/migrate";
import type { Migration } from "../database/migration";
import { openSqlite } from "../database/open-sqlite";
import { addMigration } from "../database/testing/add-migration";
import { openBatch } from "../database/testing/open-batch";
import { backUp } from "./back-up";
import { examine } from "./examine-outputs";
import { NOW_MS, openLedger, settle } from "./testing/open-test-ledger";

const faults = (path: string) => examine(path, NOW_MS).flatMap((finding) => finding.faults);

/** A later version has added a column to the ledger's chain. */
const addColumn: Migration = {
  name: "9000-counted-tokens",
  async up(queries) {
    await sql`ALTER TABLE ledger_entries ADD COLUMN counted_tokens INTEGER`.execute(queries);
  },
};

/** Settles the open hold with a report of which the limits count less. */
function settleAbsurd(sqlite: Sqlite): void {
  const { kind, settlement } = settle("d", 10_000n);
  const [result] = openBatch(sqlite).apply([{ kind, settlement: { ...settlement, countedTokens: 7 } }]);
  expect(result).toBe(true);
}

test("a ledger from before a column joined its chain, and a backup of it, verify to the end once they are migrated", async () => {
  await using temporary = await openLedger();
  const backup = `${temporary.path}.backup`;
  {
    using sqlite = openSqlite(temporary.path, { safeIntegers: true });
    sqlite.run("ALTER TABLE ledger_entries DROP COLUMN counted_tokens");
  }
  using _later = addMigration(addColumn);
  backUp(temporary.path, backup);
  for (const path of [temporary.path, backup]) {
    const before = "An earlier version of Gatehouse wrote the database (no such column: counted_tokens)";
    expect(faults(path)).toEqual([`${before}: start Gatehouse once, then run doctor again.`]);
    using sqlite = openSqlite(path, { safeIntegers: true });
    await migrate(sqlite);
    expect(faults(path)).toEqual([]);
    settleAbsurd(sqlite);
    const counted = sqlite.query(
      "SELECT id, counted_tokens FROM ledger_entries WHERE counted_tokens NOT NULL",
    );
    expect(counted.all()).toEqual([{ id: "txn_d", counted_tokens: 7n }]);
    const chain = examine(path, NOW_MS).find(({ title }) => title.startsWith("I11"));
    expect(chain).toMatchObject({ checked: expect.stringMatching(/^5 entries/), faults: [] });
  }
});

test("a ledger of a newer version is not called altered", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path);
  sqlite.run("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2030-01-01')");
  const message = 'was written by a newer version of Gatehouse, which added "9999-later"';
  expect(() => examine(temporary.path, NOW_MS)).toThrow(message);
  await expect(migrate(sqlite)).rejects.toThrow(message);
});

test("a ledger of a version that is too old is named, not examined", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path);
  sqlite.run("DELETE FROM kysely_migration");
  sqlite.run("INSERT INTO kysely_migration (name, timestamp) VALUES ('0085-counted-tokens', '2026-01-01')");
  expect(() => examine(temporary.path, NOW_MS)).toThrow("start Gatehouse of commit");
});
