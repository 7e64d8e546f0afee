import type { Database as Sqlite } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findUnfinishedStart, migrate } from "./migrate";
import { openSqlite } from "./open-sqlite";
import { earlyMigrations, writeEarlierStore } from "./testing/write-earlier-store";

const RECORDED =
  "CREATE TABLE IF NOT EXISTS kysely_migration (name TEXT PRIMARY KEY, timestamp TEXT NOT NULL)";

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

async function newEarlierDatabase() {
  const path = join(folder, `${databases++}.sqlite`);
  await writeEarlierStore(path);
  return { path, sqlite: openQuickly(path) };
}

function readSchema(sqlite: Sqlite): unknown {
  return sqlite.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").all();
}

async function presentSchema() {
  const { sqlite } = newDatabase();
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
  return { copies, statements };
}

test("a first start that is ended before any statement of its migrations is followed by one that succeeds", async () => {
  const schema = await presentSchema();
  const { copies, statements } = await copyWhileMigrating(newDatabase(), 61);
  expect(statements).toBeGreaterThan(copies.length * 50);
  expect(copies.length).toBeGreaterThan(5);
  for (const path of copies) {
    using sqlite = openQuickly(path);
    await migrate(sqlite);
    expect(readSchema(sqlite)).toEqual(schema);
  }
});

test("an upgrade that is ended before any of its statements is followed by one that succeeds and loses nothing", async () => {
  const schema = await presentSchema();
  const { copies } = await copyWhileMigrating(await newEarlierDatabase(), 61);
  expect(copies.length).toBeGreaterThan(5);
  for (const path of copies) {
    using sqlite = openQuickly(path);
    await migrate(sqlite);
    expect(readSchema(sqlite)).toEqual(schema);
    expect(sqlite.query("SELECT id, balance_after FROM ledger_entries").values()).toEqual([
      ["txn_1", 7_000_000_000],
    ]);
    expect(sqlite.query("SELECT name FROM organizations").values()).toEqual([["Acme"]]);
  }
});

test("a disk that is full at any moment of an upgrade leaves the database as it was", async () => {
  const { sqlite } = await newEarlierDatabase();
  const before = readSchema(sqlite);
  const { page_count: pages } = sqlite.query("PRAGMA page_count").get() as { page_count: number };
  for (const more of [1, 10, 40, 80]) {
    sqlite.run(`PRAGMA max_page_count = ${pages + more}`);
    await expect(migrate(sqlite)).rejects.toThrow("full");
    expect(readSchema(sqlite)).toEqual(before);
  }
  sqlite.run("PRAGMA max_page_count = 1000000");
  await migrate(sqlite);
  expect(sqlite.query("SELECT count(*) FROM ledger_entries").values()).toEqual([[1]]);
  sqlite.close(true);
});

test("tables that an earlier version left half-made at its first start are made anew", async () => {
  const schema = await presentSchema();
  for (const [made, halfMade] of [
    [0, "CREATE TABLE organizations (id TEXT PRIMARY KEY)"],
    [1, "CREATE TABLE groups (id TEXT PRIMARY KEY)"],
    [5, "CREATE TABLE audit_logs (seq INTEGER PRIMARY KEY)"],
  ] as const) {
    const { sqlite } = newDatabase();
    sqlite.run(RECORDED);
    await migrate(sqlite, Object.fromEntries(Object.entries(earlyMigrations).slice(0, made)));
    sqlite.run(halfMade);
    expect(String(await findUnfinishedStart(sqlite))).toContain("No start of Gatehouse has finished");
    await migrate(sqlite);
    expect(readSchema(sqlite)).toEqual(schema);
    sqlite.close(true);
  }
});

test("tables with data that an earlier version left half-upgraded are named, and stay as they are", async () => {
  const { sqlite } = await newEarlierDatabase();
  sqlite.run("CREATE TABLE audit_logs (seq INTEGER PRIMARY KEY)");
  const before = readSchema(sqlite);
  await expect(migrate(sqlite)).rejects.toThrow(
    'can\'t be upgraded ("0006-audit-log": table audit_logs already exists), probably because an earlier version was ended while it upgraded it. Nothing was changed: put a backup from before',
  );
  expect(String(await findUnfinishedStart(sqlite))).toContain("table audit_logs already exists");
  expect(readSchema(sqlite)).toEqual(before);
  sqlite.run("DROP TABLE audit_logs");
  expect(await findUnfinishedStart(sqlite)).toBeNull();
  await migrate(sqlite);
  expect(await findUnfinishedStart(sqlite)).toBeNull();
  sqlite.close(true);
});

test("a database whose ledger has entries is never made anew, whatever else it lacks", async () => {
  const { sqlite } = await newEarlierDatabase();
  sqlite.run("DELETE FROM organizations");
  sqlite.run("DELETE FROM projects");
  await migrate(sqlite);
  expect(sqlite.query("SELECT id FROM ledger_entries").values()).toEqual([["txn_1"]]);
  sqlite.close(true);
});
