import { expect, test } from "bun:test";
import { openSqlite } from "../open-sqlite";
import { openTemporarySqlite } from "../testing/open-temporary-database";

test("the size of a prompt follows its cases, versions, runs and results", async () => {
  await using temporary = await openTemporarySqlite();
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
  sqlite.run("DELETE FROM prompts WHERE id = 'a'");
  expect([bytesOf("ann"), bytesOf("bob")]).toEqual([3, 8]);
});
