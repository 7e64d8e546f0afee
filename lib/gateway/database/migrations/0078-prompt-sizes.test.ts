import type { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { createQueryBuilder } from "../database";
import { openSqlite } from "../open-sqlite";
import { openTemporaryDatabase } from "../testing/open-temporary-database";
import { up } from "./0078-prompt-sizes";

const sizes = (sqlite: Sqlite) => sqlite.query("SELECT * FROM prompt_sizes ORDER BY prompt_id").all();

/** Sizes as the migration of an existing database computes them. */
async function sizesAfresh(sqlite: Sqlite) {
  const triggers = sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE sql LIKE '%UPDATE prompt_sizes%' OR sql LIKE '%INTO prompt_sizes%'",
    )
    .all();
  for (const { name } of triggers) sqlite.run(`DROP TRIGGER ${name}`);
  sqlite.run("DROP TABLE prompt_sizes");
  await up(createQueryBuilder(sqlite).withoutPlugins() as never);
  return sizes(sqlite);
}

test("the size of a prompt follows its cases, versions, runs and results, and is computed for existing prompts", async () => {
  await using temporary = await openTemporaryDatabase();
  using sqlite = openSqlite(temporary.path);
  const bytesOf = (owner: string) =>
    sqlite
      .query<{ n: number | null }, [string]>("SELECT sum(bytes) AS n FROM prompt_sizes WHERE owner_id = ?")
      .get(owner)?.n;
  for (const [id, owner] of [
    ["a", "ann"],
    ["b", "ann"],
    ["c", "bob"],
  ])
    sqlite.run("INSERT INTO prompts VALUES (?, 'p', ?, 'A', 'v1.x', 0, 'v1.cases', 1, 0, 0)", [
      id ?? "",
      owner ?? "",
    ]);
  expect([bytesOf("ann"), bytesOf("bob")]).toEqual([16, 8]);
  const version = "INSERT INTO prompt_versions VALUES (?, ?, ?, 'ann', 'A', ?, 0)";
  sqlite.run(version, ["v1", "a", 1, "v1.é"]);
  sqlite.run(version, ["v2", "a", 2, "v1.12345"]);
  expect(bytesOf("ann")).toBe(16 + 5 + 8);
  sqlite.run("UPDATE prompts SET sealed_cases = 'v1.' WHERE id = 'b'");
  expect(bytesOf("ann")).toBe(11 + 5 + 8);
  for (const run of ["r1", "r2"])
    sqlite.run("INSERT INTO prompt_runs VALUES (?, 'a', 'ann', 'A', '[1]', '[]', 'v1.cases', 0)", [run]);
  const save = (run: string, result: string) =>
    sqlite.run(
      `INSERT INTO prompt_results VALUES (?, 1, 0, 'm', ?) ON CONFLICT DO UPDATE SET sealed_result = excluded.sealed_result`,
      [run, result],
    );
  save("r1", "v1.1");
  save("r1", "v1.123");
  save("r2", "v1.12");
  expect(bytesOf("ann")).toBe(24 + 16 + 6 + 5);
  sqlite.run("DELETE FROM prompt_runs WHERE id = 'r1'");
  expect(bytesOf("ann")).toBe(24 + 8 + 5);
  const before = sizes(sqlite);
  expect(await sizesAfresh(sqlite)).toEqual(before);
  sqlite.run("DELETE FROM prompts WHERE id = 'a'");
  expect([bytesOf("ann"), bytesOf("bob")]).toEqual([3, 8]);
});
