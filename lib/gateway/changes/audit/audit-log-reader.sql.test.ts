import { expect, test } from "bun:test";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { createAuditLogReader } from "./audit-log-reader.sql";

/** A log of two projects, one of which was renamed, and of a key. */
async function openLog() {
  const store = await openTemporaryDatabase();
  const project = { created_at_ms: 1_234_567, archived_at_ms: null };
  const name = 'Zürich 100% "A_B" team \\d';
  const insert = (id: string, named: string) =>
    store.write((queries) =>
      queries
        .insertInto("projects")
        .values({ id, name: named, ...project })
        .execute(),
    );
  await insert("proj_1", name);
  await insert("proj_2", "Other");
  await store.write((queries) =>
    queries.updateTable("projects").set({ name: "Robots" }).where("id", "=", "proj_2").execute(),
  );
  const log = createAuditLogReader(store.reads);
  return {
    /** The numbers of the events that a text finds, the newest first. */
    search: async (text: string) => (await log.pages({ text }).read({ limit: 10 })).map(({ seq }) => seq),
    /** Those that name an object. */
    touching: async (...resourceIds: string[]) =>
      (await log.pages({ resourceIds }).read({ limit: 10 })).map(({ seq }) => seq),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

test.each([
  ["zürich", [1]],
  ["100%", [1]],
  ['"a_b"', [1]],
  ["team \\D", [1]],
  ["a%b", []],
  ["robots", [3]],
  ["OTHER", [3, 2]],
  ["1234567", [3, 2, 1]],
  ["organization.UPDATED", [3, 2, 1]],
  ["proj_2", [3, 2]],
  // Names of fields and of tables are no visible text.
  ["created_at_ms", []],
  ["projects", []],
])("a search for %p finds the events that show it", async (text, found) => {
  await using log = await openLog();
  expect(await log.search(text)).toEqual(found);
});

test("the events of an object are found by its id, and not by a part of it", async () => {
  await using log = await openLog();
  expect(await log.touching("proj_2")).toEqual([3, 2]);
  expect(await log.touching("proj_1", "proj_2")).toEqual([3, 2, 1]);
  expect(await log.touching("proj")).toEqual([]);
});
