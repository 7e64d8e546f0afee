import { expect, test } from "bun:test";
import { newId } from "@/lib/contract/ids";
import { openSqlite } from "../../database/open-sqlite";
import { openBatch } from "../../database/testing/open-batch";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { RefusedRequest } from "../funds";

const MIDNIGHT_MS = Date.UTC(2027, 0, 15);
const { random } = simulatedRuntime();

function refusedAt(atMs: number, rest: Partial<RefusedRequest> = {}) {
  const refused = {
    requestId: newId("req", atMs, random),
    atMs,
    projectId: "proj_1",
    keyId: "key_1",
    model: "sandbox-echo",
    stream: false,
    status: 429,
    refusedBy: "max_requests_per_1_minute",
    estimatedTokens: 30,
    ...rest,
  };
  return { kind: "refusal" as const, refused };
}

async function openRefusals() {
  const temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path);
  const queryNumber = (sql: string) => sqlite.query<{ n: number }, []>(`SELECT ${sql} AS n`).get()?.n ?? 0;
  return {
    sqlite,
    batch: openBatch(sqlite),
    kept: (where = "1") =>
      queryNumber(`(SELECT count(*) FROM request_log WHERE outcome = 'refused' AND ${where})`),
    total: () => queryNumber("(SELECT sum(refusals) FROM refusal_counts)"),
    pages: () => sqlite.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0,
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("a key that never stops asking is counted whole, and takes no more room than its minutes", async () => {
  await using store = await openRefusals();
  store.batch.apply([refusedAt(MIDNIGHT_MS)]);
  const before = store.pages();
  for (let second = 0; second < 120; second++) {
    store.batch.apply(Array.from({ length: 200 }, () => refusedAt(MIDNIGHT_MS + second * 1_000)));
  }
  expect(store.total()).toBe(24_001);
  expect(store.kept()).toBe(20);
  expect(store.pages() - before).toBeLessThanOrEqual(2);
  expect(store.sqlite.query("SELECT * FROM refusal_counts").all()).toMatchObject([
    { minute_ms: MIDNIGHT_MS, key_id: "key_1", refusals: 12_001, estimated_tokens: 360_030 },
    { minute_ms: MIDNIGHT_MS + 60_000, key_id: "key_1", refusals: 12_000, estimated_tokens: 360_000 },
  ]);
});

test("stores at most a thousand refusals per key and day, across restarts", async () => {
  await using store = await openRefusals();
  const hammer = (batch: ReturnType<typeof openBatch>, minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      const atMs = MIDNIGHT_MS + minute * 60_000;
      batch.apply(Array.from({ length: 12 }, () => refusedAt(atMs)));
    }
  };
  hammer(store.batch, 90);
  expect(store.kept()).toBe(900);
  hammer(openBatch(store.sqlite), 90);
  expect(store.kept()).toBe(1_000);
  store.batch.apply([refusedAt(MIDNIGHT_MS, { keyId: "key_2" }), refusedAt(MIDNIGHT_MS + 86_400_000)]);
  expect(store.kept("key_id = 'key_2'")).toBe(1);
  expect(store.kept()).toBe(1_002);
});

test("a batch that the store does not take is not counted", async () => {
  await using store = await openRefusals();
  store.sqlite.run("PRAGMA query_only = ON");
  expect(store.batch.apply([refusedAt(MIDNIGHT_MS)])).toMatchObject([{ failed: expect.any(String) }]);
  store.sqlite.run("PRAGMA query_only = OFF");
  store.batch.apply([refusedAt(MIDNIGHT_MS, { model: "other" })]);
  expect(store.sqlite.query("SELECT model, refusals FROM refusal_counts").all()).toEqual([
    { model: "other", refusals: 1 },
  ]);
});
