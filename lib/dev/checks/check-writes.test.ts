import { expect, test } from "bun:test";
import { findWriteFaults } from "@/lib/dev/checks/check-writes";

const VERB = "lib/gateway/projects/projects.ts";

test.each([
  ["a row that is inserted", 'await within(transaction).insertInto("projects").values(row).execute();'],
  ["a statement in words", 'sqlite.run("DELETE FROM projects WHERE id = ?", [id]);'],
  ["a statement of several lines", "await sql`\nUPDATE projects SET name = ${name}\n`;".replace("\n", "")],
  ["a read", 'await reads.selectFrom("projects").selectAll().execute();'],
  ["a transaction of its own", "await context.changes.transactions.run(event, work);"],
  ["the queries of a transaction", 'import { within } from "../changes/transactions.sql";'],
])("outside a file of SQL, %s is a fault", (_, line) => {
  expect(findWriteFaults(VERB, `const before = 1;\n${line}`)).toEqual([expect.stringContaining(`${VERB}:2`)]);
});

test("a file of SQL writes, a test sets its scene, and change begins transactions", () => {
  const insert = 'await queries.insertInto("projects").values(row).execute();';
  expect(findWriteFaults("lib/gateway/projects/project-store.sql.ts", insert)).toEqual([]);
  expect(findWriteFaults("lib/gateway/projects/projects.test.ts", insert)).toEqual([]);
  const beginCode = "const result = await transactions.run(event, work);";
  expect(findWriteFaults("lib/gateway/changes/change.ts", beginCode)).toEqual([]);
});

test("words that only look like SQL are none", () => {
  expect(findWriteFaults(VERB, '/** "Create another key first." */\nreply("Delete from the list");')).toEqual(
    [],
  );
});
