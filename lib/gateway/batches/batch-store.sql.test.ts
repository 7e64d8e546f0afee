import { expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { WORK_CLAIM_MS } from "../claim-times";
import { openTemporaryDatabase } from "../database/testing/open-temporary-database";
import { createFileStore, type FileRecord } from "../files/file-store.sql";
import { type BatchRecord, createBatchClaims, createBatchStore, NO_PROGRESS } from "./batch-store.sql";

const createInput = (id: string): FileRecord => ({
  id: `file-in-${id}`,
  projectId: "proj_default",
  keyId: "key_a",
  purpose: "batch",
  filename: "in.jsonl",
  bytes: 1,
  createdAtMs: 0,
  expiresAtMs: null,
});
const files = { complete: async () => {} };

function batch(id: string, createdAtMs: number): BatchRecord {
  return {
    ...NO_PROGRESS,
    id,
    projectId: "proj_default",
    keyId: "key_a",
    endpoint: "/v1/chat/completions",
    model: "sandbox-echo",
    metadata: null,
    inputFileId: `file-in-${id}`,
    inputBytes: 1,
    outputFileId: `file-out-${id}`,
    errorFileId: `file-err-${id}`,
    status: "in_progress",
    total: 1,
    countedTokens: 1,
    outputExpiresAfterMs: null,
    createdAtMs,
    expiresAtMs: createdAtMs + DAY_MS,
    cancelRequestedAtMs: null,
    endedAtMs: null,
    pace: null,
  };
}

async function openBatches(temporary: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  const store = createBatchStore(temporary.reads);
  const stored = createFileStore(temporary.reads);
  for (const [index, id] of ["batch_a", "batch_b"].entries()) {
    await temporary.run((transaction) => stored.complete(transaction, createInput(id), index));
    await temporary.run((transaction) => store.insert(transaction, batch(id, index)));
  }
  const createClaims = (owner: string) => createBatchClaims(temporary.reads, temporary.run, { owner, files });
  return { here: createClaims("here"), there: createClaims("there"), store, stored };
}

const listIds = (batches: readonly BatchRecord[]) => batches.map(({ id }) => id);

test("a process that slept longer than its claims last doesn't begin its own batches a second time", async () => {
  await using temporary = await openTemporaryDatabase();
  const { here } = await openBatches(temporary);
  expect(listIds(await here.claim(1_000, { limit: 1, underWay: [], fullProjects: [] }))).toEqual(["batch_a"]);
  const awakeMs = 1_000 + WORK_CLAIM_MS + 1;
  expect(listIds(await here.claim(awakeMs, { limit: 4, underWay: ["batch_a"], fullProjects: [] }))).toEqual([
    "batch_b",
  ]);
  expect(await here.claim(awakeMs, { limit: 4, underWay: ["batch_a", "batch_b"], fullProjects: [] })).toEqual(
    [],
  );
});

test("another process takes over batches whose claims have expired, and the first one stores nothing more", async () => {
  await using temporary = await openTemporaryDatabase();
  const { here, there } = await openBatches(temporary);
  await here.claim(1_000, { limit: 4, underWay: [], fullProjects: [] });
  expect(await there.claim(1_000 + WORK_CLAIM_MS - 1, { limit: 4, underWay: [], fullProjects: [] })).toEqual(
    [],
  );
  const laterMs = 1_000 + WORK_CLAIM_MS;
  expect(listIds(await there.claim(laterMs, { limit: 4, underWay: [], fullProjects: [] }))).toEqual([
    "batch_a",
    "batch_b",
  ]);
  expect(await here.save("batch_a", NO_PROGRESS, laterMs)).toBe(false);
  expect(await there.save("batch_a", NO_PROGRESS, laterMs)).toBe(true);
});

test("batches of a project without a place wait, except for those that only have to be ended", async () => {
  await using temporary = await openTemporaryDatabase();
  const { here, store } = await openBatches(temporary);
  const claim = (nowMs: number, fullProjects: readonly string[] | "all", underWay: readonly string[] = []) =>
    here.claim(nowMs, { limit: 4, underWay, fullProjects }).then(listIds);
  expect(await claim(1_000, ["proj_default"])).toEqual([]);
  expect(await claim(1_000, "all")).toEqual([]);
  await temporary.run((transaction) => store.requestCancel(transaction, "batch_b", 1_000));
  expect(await claim(1_000, "all")).toEqual(["batch_b"]);
  const windowEndMs = batch("batch_a", 0).expiresAtMs;
  expect(await claim(windowEndMs - 1, ["proj_default"], ["batch_b"])).toEqual([]);
  expect(await claim(windowEndMs, ["proj_default"], ["batch_b"])).toEqual(["batch_a"]);
});

test("no batch begins to read a file that is being deleted, and no file is deleted that a batch reads", async () => {
  await using temporary = await openTemporaryDatabase();
  const { store, stored } = await openBatches(temporary);
  const expire = (ids: string[]) => temporary.run((transaction) => stored.expire(transaction, ids, 5_000));
  expect(await expire(["file-in-batch_a"])).toEqual([]);
  await temporary.run((transaction) => stored.complete(transaction, createInput("batch_c"), 1));
  expect(await expire(["file-in-batch_a", "file-in-batch_c"])).toEqual(["file-in-batch_c"]);
  const late = { ...batch("batch_c", 6_000), inputFileId: "file-in-batch_c" };
  expect(await temporary.run((transaction) => store.insert(transaction, late))).toBe(false);
  expect(await store.find("batch_c")).toBeNull();
});
