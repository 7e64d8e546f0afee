import { expect, test } from "bun:test";
import { type BatchRecord, NO_PROGRESS } from "../../batches/batch-store";
import { openTemporaryDatabase } from "../open-temporary-database";
import { BATCH_CLAIM_MS, createSqliteBatchClaims, createSqliteBatchStore } from "./sqlite-batch-store";

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
    expiresAtMs: createdAtMs + 24 * 60 * 60_000,
    cancelRequestedAtMs: null,
    endedAtMs: null,
  };
}

async function openBatches(temporary: Awaited<ReturnType<typeof openTemporaryDatabase>>) {
  const store = createSqliteBatchStore(temporary.reads);
  for (const [index, id] of ["batch_a", "batch_b"].entries())
    await temporary.write((_, transaction) => store.insert(transaction, batch(id, index)));
  const claimsOf = (owner: string) =>
    createSqliteBatchClaims(temporary.reads, temporary.run, { owner, files });
  return { here: claimsOf("here"), there: claimsOf("there") };
}

const ids = (batches: readonly BatchRecord[]) => batches.map(({ id }) => id);

test("a process that slept longer than its claims last doesn't begin its own batches a second time", async () => {
  await using temporary = await openTemporaryDatabase();
  const { here } = await openBatches(temporary);
  expect(ids(await here.claim(1_000, 1, []))).toEqual(["batch_a"]);
  const awakeMs = 1_000 + BATCH_CLAIM_MS + 1;
  expect(ids(await here.claim(awakeMs, 4, ["batch_a"]))).toEqual(["batch_b"]);
  expect(await here.claim(awakeMs, 4, ["batch_a", "batch_b"])).toEqual([]);
});

test("another process takes over batches whose claims have expired, and the first one stores nothing more", async () => {
  await using temporary = await openTemporaryDatabase();
  const { here, there } = await openBatches(temporary);
  await here.claim(1_000, 4, []);
  expect(await there.claim(1_000 + BATCH_CLAIM_MS - 1, 4, [])).toEqual([]);
  const laterMs = 1_000 + BATCH_CLAIM_MS;
  expect(ids(await there.claim(laterMs, 4, []))).toEqual(["batch_a", "batch_b"]);
  expect(await here.save("batch_a", NO_PROGRESS, laterMs)).toBe(false);
  expect(await there.save("batch_a", NO_PROGRESS, laterMs)).toBe(true);
});
