import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { createQueryBuilder, type Database } from "./database";
import { openSqlite } from "./open-sqlite";

let folder: string;
let path: string;
let database: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-statements-"));
  path = join(folder, "gatehouse.sqlite");
  database = createQueryBuilder(openSqlite(path));
  await sql`CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL)`.execute(database);
  for (const id of ["a", "b", "c"]) await insert(id);
});
afterEach(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true });
});

const insert = (id: string) => sql`INSERT INTO projects (id, name) VALUES (${id}, 'x')`.execute(database);
async function readIds(): Promise<string[]> {
  const rows = await database.selectFrom("projects").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

test("a read finds what was written since the same read before", async () => {
  expect(await readIds()).toEqual(["a", "b", "c"]);
  await insert("d");
  expect(await readIds()).toEqual(["a", "b", "c", "d"]);
});

test("a statement that failed works again", async () => {
  await expect(insert("a")).rejects.toThrow("UNIQUE");
  await insert("d");
  expect(await readIds()).toContain("d");
});

test("a read works after any number of others, and after its table has changed", async () => {
  expect(await readIds()).toHaveLength(3);
  for (let limit = 1; limit <= 500; limit++)
    await sql`SELECT ${sql.lit(limit)} FROM projects`.execute(database);
  expect(await readIds()).toHaveLength(3);
  const rows = () => sql<object>`SELECT * FROM projects WHERE id = 'a'`.execute(database);
  expect((await rows()).rows).toEqual([{ id: "a", name: "x" }]);
  await sql`ALTER TABLE projects ADD COLUMN note TEXT`.execute(database);
  expect((await rows()).rows).toEqual([{ id: "a", name: "x", note: null }]);
});

test("a connection closes, and its log with it, whatever was read on it", async () => {
  await readIds();
  expect(existsSync(`${path}-wal`)).toBe(true);
  await database.destroy();
  expect(existsSync(`${path}-wal`)).toBe(false);
});
