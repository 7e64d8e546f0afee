import { expect, test } from "bun:test";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { createTaskCallbackClaims } from "./task-callbacks.sql";

const outcome = {
  status: "delivered",
  tries: 1,
  triedAtMs: 5,
  tookMs: 1,
  httpStatus: 200,
  dueAtMs: null,
  failure: null,
} as const;

test("a try is stored only by the process that has the claim", async () => {
  await using database = await openTemporaryDatabase();
  await database.write((queries) =>
    queries
      .insertInto("task_callbacks")
      .values({
        task_id: "task_1",
        receiver: "r",
        url: "",
        status: "pending",
        tries: 0,
        due_at_ms: 0,
        ended_at_ms: null,
        claimed_by: "this process",
        claimed_until_ms: 60_000,
      })
      .execute(),
  );
  const claimsOf = (owner: string) =>
    createTaskCallbackClaims(database.reads, database.run, {
      owner,
      secret: new Uint8Array(32),
      tasks: { find: async () => null },
      currency: "USD",
    });
  const tries = () => database.reads.selectFrom("task_callback_tries").select("at_ms").execute();
  expect(await claimsOf("another").save("task_1", outcome)).toBe(false);
  expect(await tries()).toEqual([]);
  expect(await claimsOf("this process").save("task_1", outcome)).toBe(true);
  expect(await tries()).toEqual([{ at_ms: 5 }]);
});
