import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { verifyAuditChain } from "../../changes/audit/audit-chain.sql";
import type { Database } from "../../database/database";
import {
  openPrunableStore,
  START_MS,
  type PrunableStore as Store,
} from "../../database/testing/open-prunable-store";
import { examine } from "../../doctor/examine-outputs";
import { simulatedRuntime } from "../../simulation/simulated-runtime";

const open = () => openPrunableStore((path) => examine(path, START_MS).flatMap(({ faults }) => faults));

const { random } = simulatedRuntime();

function rename(store: Store, count: number, day: number): Promise<unknown> {
  const work = async () => {
    for (let index = 0; index < count; index++) {
      const project = { id: `proj_${index % 7}`, name: `Day ${day}, ${index}`, created_at_ms: 1 };
      const atMs = START_MS + day * DAY_MS;
      const insert = (queries: Database) =>
        queries
          .insertInto("projects")
          .values(project)
          .onConflict((one) => one.column("id").doUpdateSet({ name: project.name }))
          .execute();
      await store.write(insert, { type: "project.updated", atMs });
    }
  };
  return work();
}

test("deletes only expired rows, a few at a time", async () => {
  await using store = await open();
  const uncharged = store.sqlite.prepare(
    `INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens)
     VALUES (?, ?, 'p', 'k', 'm', 0, 'refused', 429, 1)`,
  );
  const counts = store.sqlite.prepare(
    "INSERT INTO refusal_counts VALUES (?, 'p', 'k', 'm', 'balance', 1, 1)",
  );
  store.sqlite.transaction(() => {
    for (let index = 0; index < 1_010; index++) {
      const atMs = START_MS + (index < 1_000 ? 0 : 50 * DAY_MS);
      uncharged.run(newId("req", atMs, random), atMs);
      counts.run(atMs + index * 60_000);
    }
  })();
  store.sqlite.run(`INSERT INTO idempotency_keys VALUES ('p', 'old', 'h', 'reply', ${START_MS}, 'req_1'),
    ('p', 'new', 'h', 'reply', ${START_MS + 91 * DAY_MS}, 'req_2')`);
  store.sqlite.run(`INSERT INTO alert_deliveries (id, body, status, tries, tried_at_ms, due_at_ms) VALUES
    ('old', '', 'delivered', 1, ${START_MS}, NULL), ('due', '', 'pending', 1, ${START_MS}, 1)`);
  store.sqlite.run(
    "INSERT INTO ledger_entries (id, kind, amount, created_at_ms) VALUES ('txn_1', 'payment', 1, 1)",
  );

  const steps = await store.cut(START_MS + 91 * DAY_MS, { refusal_count_days: 90 });
  expect(steps).toBeGreaterThanOrEqual(10);
  expect(["uncharged_calls", "refusal_counts", "ledger_entries"].map(store.countRows)).toEqual([10, 10, 1]);
  expect(store.sqlite.query("SELECT key, reply FROM idempotency_keys").all()).toEqual([
    { key: "new", reply: "reply" },
  ]);
  expect(store.sqlite.query("SELECT id FROM alert_deliveries").all()).toEqual([{ id: "due" }]);
  await store.cut(START_MS + 91 * DAY_MS, { kept_reply_hours: 0 });
  expect(store.sqlite.query("SELECT key, reply FROM idempotency_keys").all()).toEqual([
    { key: "new", reply: null },
  ]);
  await store.cut(START_MS + 5_000 * DAY_MS, { request_log_days: null, refusal_count_days: null });
  expect(["uncharged_calls", "refusal_counts"].map(store.countRows)).toEqual([10, 10]);
});

test("a pruned audit log is still a chain, explains every row, and verifies the heads of its remaining events", async () => {
  await using store = await open();
  const audit = { audit_log_days: 30 };
  const readHead = () => verifyAuditChain(store.sqlite).head;
  await rename(store, 450, 0);
  const before = readHead();
  await rename(store, 3, 20);
  const after = readHead();
  await store.cut(START_MS + 29 * DAY_MS, audit);
  expect(readHead()).toEqual(after);

  await store.cut(START_MS + 40 * DAY_MS, audit);
  // The three rows, and an event for each of the three steps.
  expect(store.countRows("audit_logs")).toBe(6);
  expect(readHead().length).toBe(456);
  expect(verifyAuditChain(store.sqlite, after).fault).toBeNull();
  expect(verifyAuditChain(store.sqlite, { ...after, hash: before.hash }).fault?.message).toContain(
    "exported",
  );
  expect(verifyAuditChain(store.sqlite, { ...before, length: 449 }).fault?.message).toContain(
    "Event 449, whose hash was exported, is older than the log is kept",
  );
  expect(verifyAuditChain(store.sqlite, before).fault).toBeNull();
  expect(store.faults()).toEqual([]);

  // Pruning also deletes the events of earlier prunings.
  await rename(store, 1, 50);
  await store.cut(START_MS + 100 * DAY_MS, audit);
  expect(store.countRows("audit_logs")).toBe(1);
  expect(store.faults()).toEqual([]);
  store.sqlite.run("DROP TRIGGER projects_audit_update");
  store.sqlite.run("UPDATE projects SET name = 'Mine' WHERE id = 'proj_6'");
  expect(store.faults().join()).toContain('projects proj_6 has name "Mine"');
});

test("only a recorded cut deletes an event", async () => {
  await using store = await open();
  await rename(store, 250, 0);
  expect(() => store.sqlite.run("DELETE FROM audit_logs WHERE seq = 1")).toThrow("immutable");
  await store.cut(START_MS + 3 * DAY_MS, { audit_log_days: 1 });
  expect(() => store.sqlite.run("DELETE FROM audit_logs")).toThrow("immutable");
  expect(store.countRows("audit_logs")).toBe(2);
  store.sqlite.run("DROP TRIGGER audit_logs_are_not_deleted");
  store.sqlite.run("DELETE FROM audit_logs WHERE seq = 251");
  expect(store.faults().join()).toContain("is missing before");
});

test("a charge is kept for ever, and the other details of its receipt as long as the request log", async () => {
  await using store = await open();
  const insert = store.sqlite.prepare(
    `INSERT INTO ledger_entries (id, kind, amount, held, request_id, created_at_ms, started_at_ms, trace)
     VALUES (?1, 'charge', 0, 0, 'req_' || substr(?1, 5), ?2, ?2, '[null,null,null,[]]')`,
  );
  const traced = () => store.countRows("ledger_entries WHERE trace IS NOT NULL");
  const call = (day: number) => insert.run(newId("txn", START_MS + day * DAY_MS, random), START_MS);
  store.sqlite.transaction(() => {
    for (let index = 0; index < 450; index++) call(0);
    for (let index = 0; index < 5; index++) call(50);
  })();
  expect(await store.cut(START_MS + 91 * DAY_MS)).toBe(3);
  expect([traced(), store.countRows("ledger_entries")]).toEqual([5, 455]);
  // A row that was processed once is not processed again.
  expect(await store.cut(START_MS + 91 * DAY_MS)).toBe(0);
  expect(await store.cut(START_MS + 141 * DAY_MS, { request_log_days: null })).toBe(0);
  await store.cut(START_MS + 141 * DAY_MS);
  expect(traced()).toBe(0);
  const change = (set: string) => () => store.sqlite.run(`UPDATE ledger_entries SET ${set}`);
  expect(change("trace = '[]'")).toThrow("a trace is deleted, never changed");
  expect(change("provider = 'other'")).toThrow("ledger entries are immutable");
});

test("a body is deleted at the age that its project set when it was stored", async () => {
  await using store = await open();
  await rename(store, 2, 0);
  const days = { proj_0: 5, proj_1: 10 };
  for (const [project_id, retention_days] of Object.entries(days)) {
    const settings = { project_id, mode: "off" as const, retention_days, redactions: "[]", set_at_ms: 1 };
    await store.write((queries) => queries.insertInto("body_settings").values(settings).execute());
    const insert = store.sqlite.query("INSERT INTO request_bodies VALUES (?, ?, ?, 'v1.', NULL)");
    for (const age of [4, 7, 11])
      insert.run(newId("req", START_MS, random), project_id, START_MS - age * DAY_MS);
  }
  await store.cut(START_MS);
  const kept = store.sqlite
    .query<{ project_id: string; n: number }, []>(
      "SELECT project_id, count(*) AS n FROM request_bodies GROUP BY 1 ORDER BY 1",
    )
    .all();
  expect(kept).toEqual([
    { project_id: "proj_0", n: 1 },
    { project_id: "proj_1", n: 2 },
  ]);
});

test("items of conversations are deleted at their own age, and all of what a project keeps no more", async () => {
  await using store = await open();
  await rename(store, 2, 0);
  for (const [project_id, mode] of [
    ["proj_0", "whole"],
    ["proj_1", "metadata"],
  ] as const) {
    const settings = { project_id, mode, retention_days: 10, redactions: "[]", set_at_ms: 1 };
    await store.write((queries) => queries.insertInto("body_settings").values(settings).execute());
    for (const age of [4, 11]) {
      const [id, usedAtMs] = [`${project_id} ${age}`, START_MS - age * DAY_MS];
      store.sqlite.run("INSERT INTO response_conversations VALUES (?, ?, ?, ?, 'v1.', 1, NULL, NULL)", [
        id,
        project_id,
        START_MS - 11 * DAY_MS,
        usedAtMs,
      ]);
      store.sqlite.run(
        "INSERT INTO response_conversation_items VALUES (?1, 1, 'old', ?2, 'v1.'), (?1, 2, 'used', ?3, 'v1.')",
        [id, START_MS - 11 * DAY_MS, usedAtMs],
      );
    }
  }
  await store.cut(START_MS);
  const kept = store.sqlite
    .query<{ id: string; item: string }, []>(
      `SELECT kept.id, items.id AS item FROM response_conversations AS kept
       JOIN response_conversation_items AS items ON conversation_id = kept.id`,
    )
    .all();
  expect(kept).toEqual([{ id: "proj_0 4", item: "used" }]);
});

test("an old callback is deleted with its log and address, and a pending one is kept", async () => {
  await using store = await open();
  const task = store.sqlite.prepare(
    `INSERT INTO tasks (id, request_id, project_id, key_id, model, family, status, callback_url, callback_receiver, created_at_ms,
       ended_at_ms, deadline_at_ms) VALUES (?1, ?1, 'p', 'k', 'm', 'image', 'failed', 'v1.sealed', 'https://a', 1, ?2, 2)`,
  );
  const callback = store.sqlite.prepare(
    "INSERT INTO task_callbacks (task_id, receiver, url, status, tries, due_at_ms, ended_at_ms) VALUES (?, 'r', '', ?, 1, ?, ?)",
  );
  for (const [id, status, dueAtMs, endedAtMs] of [
    ["old", "delivered", null, START_MS],
    ["given up", "exhausted", null, START_MS],
    ["pending", "pending", START_MS, null],
    ["new", "delivered", null, START_MS + 90 * DAY_MS],
  ] as const) {
    task.run(id, START_MS);
    callback.run(id, status, dueAtMs, endedAtMs);
    store.sqlite.run("INSERT INTO task_callback_tries (task_id, at_ms, took_ms) VALUES (?, 1, 1)", [id]);
  }
  await store.cut(START_MS + 91 * DAY_MS);
  const left = store.sqlite.query(
    `SELECT id, callback_url IS NULL AS forgotten, (SELECT count(*) FROM task_callbacks WHERE task_id = id) AS callbacks,
       (SELECT count(*) FROM task_callback_tries WHERE task_id = id) AS tries FROM tasks ORDER BY id`,
  );
  expect(left.all()).toEqual([
    { id: "given up", forgotten: 1, callbacks: 0, tries: 0 },
    { id: "new", forgotten: 0, callbacks: 1, tries: 1 },
    { id: "old", forgotten: 1, callbacks: 0, tries: 0 },
    { id: "pending", forgotten: 0, callbacks: 1, tries: 1 },
  ]);
  expect(store.faults()).toEqual([]);
});
