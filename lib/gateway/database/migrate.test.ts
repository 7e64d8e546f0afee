import type { Database as Sqlite } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuditTrail } from "../changes/audit/audit-trail.sql";
import { findUnfinishedStart, isOfEarlierVersion, migrate, refuseOtherVersion } from "./migrate";
import { migrations } from "./migrations";
import { openSqlite } from "./open-sqlite";
import { tables } from "./tables/tables";
import { addMigration, testMigration } from "./testing/add-migration";

const TOO_OLD =
  "The database was written by an early version of Gatehouse, which this one can't upgrade: start Gatehouse of commit fefd1546 on it once, then this version.";

let folder: string;
let databases = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-migrate-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function newDatabase(): { path: string; sqlite: Sqlite } {
  const path = join(folder, `${databases++}.sqlite`);
  return { path, sqlite: openQuickly(path) };
}

function openQuickly(path: string): Sqlite {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = OFF");
  return sqlite;
}

/** A database of this version, with an organization, a project and a payment of 7.00. */
async function newFilledDatabase() {
  const { path, sqlite } = newDatabase();
  await migrate(sqlite);
  sqlite.transaction(() => {
    sqlite.run(
      "INSERT INTO organizations (id, name, currency, created_at_ms) VALUES ('org_1', 'Acme', 'USD', 1)",
    );
    sqlite.run("INSERT INTO projects (id, name, created_at_ms) VALUES ('proj_1', 'First', 1)");
    sqlite.run(
      "INSERT INTO ledger_entries (id, kind, amount, created_at_ms) VALUES ('txn_1', 'payment', 7000000000, 1)",
    );
    new AuditTrail(sqlite).log(null);
  })();
  return { path, sqlite };
}

function readSchema(sqlite: Sqlite): unknown {
  return sqlite.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").all();
}

async function schemaOf(database: { sqlite: Sqlite } | Promise<{ sqlite: Sqlite }>) {
  const { sqlite } = await database;
  await migrate(sqlite);
  const schema = readSchema(sqlite);
  sqlite.close(true);
  return schema;
}

/** What a process leaves on disk that is killed before some of the statements that it migrates with. */
async function copyWhileMigrating({ path, sqlite }: { path: string; sqlite: Sqlite }, every: number) {
  const copies: string[] = [];
  let statements = 0;
  const copy = () => {
    if (statements++ % every > 0) return;
    const copied = join(folder, `${databases++}.sqlite`);
    copyFileSync(path, copied);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copied}-wal`);
    copies.push(copied);
  };
  for (const name of ["run", "prepare", "query"] as const) {
    const original = sqlite[name].bind(sqlite) as (...words: unknown[]) => unknown;
    Object.assign(sqlite, {
      [name](...words: unknown[]) {
        copy();
        return original(...words);
      },
    });
  }
  await migrate(sqlite);
  sqlite.close(true);
  return copies;
}

test("a first start that is ended before any of its statements is followed by one that succeeds", async () => {
  const schema = await schemaOf(newDatabase());
  const copies = await copyWhileMigrating(newDatabase(), 61);
  expect(copies.length).toBeGreaterThan(5);
  for (const path of copies) expect(await schemaOf({ sqlite: openQuickly(path) })).toEqual(schema);
});

test("each table is made after those that it refers to, and begins with its rows", async () => {
  const { sqlite } = newDatabase();
  await migrate(sqlite);
  const made = new Set<string>();
  for (const { name, columns, rows = [] } of tables) {
    made.add(name);
    for (const { facts } of Object.values(columns)) expect(made).toContain(facts.references?.table ?? name);
    expect([name, sqlite.query(`SELECT count(*) FROM ${name}`).values()]).toEqual([name, [[rows.length]]]);
  }
  expect(made.size).toBe(tables.length);
  sqlite.close(true);
});

test("an upgrade that is ended before any of its statements is followed by one that succeeds and loses nothing", async () => {
  const filled = await newFilledDatabase();
  using _later = addMigration(testMigration);
  const schema = await schemaOf(newFilledDatabase());
  const copies = await copyWhileMigrating(filled, 1);
  expect(copies.length).toBeGreaterThan(10);
  for (const path of copies) {
    const sqlite = openQuickly(path);
    await migrate(sqlite);
    expect(readSchema(sqlite)).toEqual(schema);
    expect(sqlite.query("SELECT id, amount FROM copied_entries").values()).toEqual([
      ["txn_1", 7_000_000_000],
    ]);
    expect(sqlite.query("SELECT name FROM organizations").values()).toEqual([["Acme upgraded"]]);
    // What the upgrade changes is an event of the gateway itself.
    expect(sqlite.query("SELECT type, actor_kind FROM audit_logs").values()).toEqual([
      ["organization.updated", null],
      ["organization.updated", null],
    ]);
    sqlite.close(true);
  }
});

test("a disk that is full at any moment of an upgrade leaves the database as it was", async () => {
  const { sqlite } = await newFilledDatabase();
  using _later = addMigration(testMigration);
  const before = readSchema(sqlite);
  const { page_count: pages } = sqlite.query("PRAGMA page_count").get() as { page_count: number };
  for (const more of [0, 1, 10, 40, 80]) {
    sqlite.run(`PRAGMA max_page_count = ${pages + more}`);
    await expect(migrate(sqlite)).rejects.toThrow("full");
    expect(readSchema(sqlite)).toEqual(before);
    expect(sqlite.query("SELECT name FROM organizations").values()).toEqual([["Acme"]]);
  }
  sqlite.run("PRAGMA max_page_count = 1000000");
  expect(isOfEarlierVersion(sqlite)).toBe(true);
  await migrate(sqlite);
  expect(isOfEarlierVersion(sqlite)).toBe(false);
  sqlite.close(true);
});

test("an upgrade that doesn't fit the tables says so, and changes nothing", async () => {
  const { sqlite } = await newFilledDatabase();
  sqlite.run("CREATE TABLE long_rows (id TEXT)");
  const before = readSchema(sqlite);
  using _later = addMigration(testMigration);
  await expect(migrate(sqlite)).rejects.toThrow(
    'can\'t be upgraded ("9000-test": table long_rows already exists), since its tables are not those that Gatehouse made. Nothing was changed',
  );
  expect(readSchema(sqlite)).toEqual(before);
  sqlite.close(true);
});

/** Records a database as one that so many of the earlier migrations have made. */
function recordEarlier(sqlite: Sqlite, count: number): void {
  sqlite.run("DELETE FROM kysely_migration");
  for (let number = 1; number <= count; number++)
    sqlite.run("INSERT INTO kysely_migration VALUES (?, '2026-01-01')", [
      `${String(number).padStart(4, "0")}-earlier`,
    ]);
}

test("a database that all earlier migrations have made goes on as it is", async () => {
  const { sqlite } = await newFilledDatabase();
  const before = [readSchema(sqlite), sqlite.query("SELECT * FROM audit_logs").all()];
  recordEarlier(sqlite, 64);
  refuseOtherVersion(sqlite);
  await migrate(sqlite, []);
  expect([readSchema(sqlite), sqlite.query("SELECT * FROM audit_logs").all()]).toEqual(before);
  expect(sqlite.query("SELECT name FROM kysely_migration").values()).toEqual([["0100-schema"]]);
  sqlite.close(true);
});

test.each([
  ["that some of them have made", (sqlite: Sqlite) => recordEarlier(sqlite, 63)],
  ["without a record", (sqlite: Sqlite) => sqlite.run("DROP TABLE kysely_migration")],
])(
  "a database %s is refused with the commit to upgrade with first, and stays as it is",
  async (_what, age) => {
    const { sqlite } = await newFilledDatabase();
    age(sqlite);
    const before = readSchema(sqlite);
    await expect(migrate(sqlite)).rejects.toThrow(TOO_OLD);
    expect(() => refuseOtherVersion(sqlite)).toThrow(TOO_OLD);
    expect(readSchema(sqlite)).toEqual(before);
    sqlite.close(true);
  },
);

test("a database whose first start hasn't finished is known by its lack of any organization, project and entry", async () => {
  const { sqlite } = newDatabase();
  expect(findUnfinishedStart(sqlite)?.message).toContain("No start of Gatehouse has finished");
  await migrate(sqlite);
  expect(findUnfinishedStart(sqlite)?.message).toContain("No start of Gatehouse has finished");
  sqlite.close(true);
  const filled = await newFilledDatabase();
  expect(findUnfinishedStart(filled.sqlite)).toBeNull();
  filled.sqlite.close(true);
});

test("requests for access from before there were more kinds of them go on, and are audited as ever", async () => {
  const { sqlite } = newDatabase();
  const widened = migrations.findIndex(({ name }) => name === "0275-more-access-requests");
  await migrate(sqlite, migrations.slice(0, widened));
  const insert = (id: string, kind: string, column: string, value: string | number) =>
    sqlite.transaction(() => {
      sqlite.run(
        `INSERT INTO access_requests (id, kind, ${column}, created_at_ms, maker_id, maker_name, status)
          VALUES (?, ?, ?, 1, 'user_1', 'Ben', 'pending')`,
        [id, kind, value],
      );
      const pending = sqlite.query("SELECT object, id FROM audit_pending").all();
      new AuditTrail(sqlite).log(null);
      return pending;
    })();
  insert("areq_1", "permission", "permission", "api.usage.read");
  expect(() => insert("areq_2", "spend_limit", "permission", "api.usage.read")).toThrow("CHECK");
  await migrate(sqlite, migrations);
  expect(insert("areq_2", "spend_limit", "threshold_cents", 500)).toMatchObject([{ id: "areq_2" }]);
  expect(() => insert("areq_3", "spend_limit", "permission", "api.usage.read")).toThrow("CHECK");
  expect(sqlite.query("SELECT id, permission, threshold_cents FROM access_requests").all()).toEqual([
    { id: "areq_1", permission: "api.usage.read", threshold_cents: null },
    { id: "areq_2", permission: null, threshold_cents: 500 },
  ]);
  sqlite.close(true);
});
