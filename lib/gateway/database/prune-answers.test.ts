import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { examine } from "../doctor/examine-outputs";
import type { Database } from "./database";
import { openPrunableStore, START_MS } from "./testing/open-prunable-store";

const open = () => openPrunableStore((path) => examine(path, START_MS).flatMap(({ faults }) => faults));

test("what lines were answered and charged is kept until their batch has ended", async () => {
  await using store = await open();
  const batch = {
    project_id: "p",
    key_id: "k",
    endpoint: "/v1/chat/completions",
    model: "m",
    input_file_id: "f",
    input_bytes: 1,
    output_file_id: "o",
    error_file_id: "e",
    total: 1,
    counted_tokens: 1,
    created_at_ms: START_MS,
    expires_at_ms: START_MS + DAY_MS,
  } as const;
  for (const [id, status, endedAtMs] of [
    ["batch_1", "in_progress", null],
    ["batch_2", "completed", START_MS],
  ] as const) {
    const insert = (queries: Database) =>
      queries
        .insertInto("batches")
        .values({ ...batch, id, status, ended_at_ms: endedAtMs } as never)
        .execute();
    await store.write(insert, { type: "batch.created", atMs: START_MS });
    store.sqlite.run("INSERT INTO idempotency_keys VALUES ('k', ?, 'h', 'reply', ?, 'req_1')", [
      `${id}-7`,
      START_MS,
    ]);
  }
  await store.cut(START_MS + 2 * DAY_MS);
  expect(store.sqlite.query("SELECT key, reply FROM idempotency_keys").all()).toEqual([
    { key: "batch_1-7", reply: "reply" },
  ]);
});

test("a conversation goes 180 days after its last change, which doctor holds", async () => {
  await using store = await open();
  const keep = store.sqlite.prepare(
    "INSERT INTO conversations VALUES (?, 'user_1', NULL, 'v1.x', 0, 'v1.x', 0, ?)",
  );
  keep.run("conv_old", START_MS - 182 * DAY_MS);
  keep.run("conv_new", START_MS - 179 * DAY_MS);
  expect(store.faults().join()).toContain("1 conversations are older than 180 days");
  await store.cut(START_MS);
  expect(store.sqlite.query("SELECT id FROM conversations").all()).toEqual([{ id: "conv_new" }]);
  expect(store.faults()).toEqual([]);
  store.sqlite.run("UPDATE conversations SET sealed_title = 'Wombat'");
  for (let made = 0; made < 100; made++) keep.run(`conv_${made}`, START_MS);
  expect(store.faults().join()).toMatch(/conv_new is not sealed.*101 conversations of user_1/);
});

test("a conversation goes with its background answers", async () => {
  await using store = await open();
  const [oldMs, newMs] = [START_MS - 182 * DAY_MS, START_MS - DAY_MS];
  for (const [id, atMs] of [
    ["old", oldMs],
    ["new", newMs],
  ] as const) {
    store.sqlite.run("INSERT INTO conversations VALUES (?, 'user_1', NULL, 'v1.x', 0, 'v1.x', 0, ?)", [
      id,
      atMs,
    ]);
    store.sqlite.run(
      "INSERT INTO conversation_answers VALUES (?, ?, 'user_1', 'req_1', 200, 'text/event-stream', NULL, 0, 0, ?)",
      [`${id}/a`, id, newMs],
    );
  }
  await store.cut(START_MS);
  expect(store.sqlite.query("SELECT id FROM conversation_answers").all()).toEqual([{ id: "new/a" }]);
});

test("a background answer goes 30 days after its call, with its parts, which doctor holds", async () => {
  await using store = await open();
  const keep = store.sqlite.prepare(
    "INSERT INTO conversation_answers VALUES (?, 'conv_1', 'user_1', 'req_1', 200, 'text/event-stream', NULL, 0, 0, ?)",
  );
  for (const [id, days] of [
    ["old", 32],
    ["new", 29],
  ] as const) {
    keep.run(id, START_MS - days * DAY_MS);
    store.sqlite.run("INSERT INTO conversation_answer_parts VALUES (?, 1, 'v1.x')", [id]);
  }
  expect(store.faults().join()).toContain("1 kept answers are older than 30 days");
  await store.cut(START_MS);
  expect(store.sqlite.query("SELECT answer_id FROM conversation_answer_parts").all()).toEqual([
    { answer_id: "new" },
  ]);
  expect(store.faults()).toEqual([]);
  store.sqlite.run("UPDATE conversation_answer_parts SET sealed_text = 'Wombat'");
  expect(store.faults().join()).toContain("1 parts of conversation_answers are not sealed");
});
