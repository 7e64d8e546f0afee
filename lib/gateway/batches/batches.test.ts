import { expect, test } from "bun:test";
import { change } from "../changes/change";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { createFileStore } from "../files/file-store.sql";
import { notFound, Refusal } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { type BatchRecord, createBatchClaims, createBatchStore, NO_PROGRESS } from "./batch-store.sql";
import { cancelBatch } from "./batches";

const batch: BatchRecord = {
  ...NO_PROGRESS,
  id: "batch_a",
  projectId: "proj_default",
  keyId: "key_a",
  endpoint: "/v1/chat/completions",
  model: "sandbox-echo",
  metadata: null,
  inputFileId: "file-in",
  inputBytes: 1,
  outputFileId: "file-out",
  errorFileId: "file-err",
  status: "in_progress",
  total: 1,
  countedTokens: 1,
  outputExpiresAfterMs: null,
  createdAtMs: 0,
  expiresAtMs: 1_000_000,
  cancelRequestedAtMs: null,
  endedAtMs: null,
  pace: null,
};
const file = { id: "file-in", projectId: "proj_default", keyId: "key_a", purpose: "batch" } as const;
const stored = { filename: "in.jsonl", bytes: 1, createdAtMs: 0, expiresAtMs: null };

async function openScene() {
  const temporary = await openTemporaryDatabase();
  const batches = createBatchStore(temporary.reads);
  const files = createFileStore(temporary.reads);
  await temporary.run((transaction) => files.complete(transaction, { ...file, ...stored }, 0));
  await temporary.run((transaction) => batches.insert(transaction, batch));
  const stopped: string[] = [];
  const changes = await temporary.changes();
  const context = {
    changes,
    batches,
    runtime: simulatedRuntime(),
    stopBatch: (id: string) => void stopped.push(id),
  };
  const actor = { kind: "project_key", id: "key_b", keyId: "key_b", userId: null, email: null } as const;
  const request = {
    ...testRequest,
    event: { ...testRequest.event, type: "batch.cancel_requested", actor },
  };
  const find = async () => {
    const found = await batches.find(batch.id);
    if (!found) throw notFound("batch", batch.id, "batch_id");
    return found;
  };
  return {
    context,
    request,
    stopped,
    find,
    claims: createBatchClaims(temporary.reads, temporary.run, { owner: "here", files }),
    events: () =>
      temporary.reads
        .selectFrom("audit_logs")
        .where("type", "=", "batch.cancel_requested")
        .select(["type", "project_id", "actor_id", "changes"])
        .execute(),
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}

test("a cancellation is one event that names who asked for it, and a repeated one none", async () => {
  await using scene = await openScene();
  const { context, request, find } = scene;
  for (const _ of [1, 2]) {
    expect(await cancelBatch(context, request, find)).toMatchObject({ id: "batch_a", status: "cancelling" });
  }
  const events = await scene.events();
  expect(events).toMatchObject([
    { type: "batch.cancel_requested", project_id: "proj_default", actor_id: "key_b" },
  ]);
  expect(JSON.parse(events[0]?.changes ?? "")).toMatchObject([{ object: "batches", id: "batch_a" }]);
});

test("a batch that ends while its cancellation waits is answered as ended, and no event says otherwise", async () => {
  await using scene = await openScene();
  await scene.claims.claim(1, { limit: 1, underWay: [], fullProjects: [] });
  const ending = scene.claims.end("batch_a", NO_PROGRESS, { status: "completed", atMs: 2, files: [] });
  const late = cancelBatch(scene.context, scene.request, scene.find);
  await expect(late).rejects.toMatchObject({ status: 409, code: "batch_ended" });
  expect(await ending).toBe(true);
  expect([scene.stopped, await scene.events()]).toEqual([[], []]);
});

test("a caller who stops seeing the batch while waiting cancels nothing", async () => {
  await using scene = await openScene();
  let isVisible = true;
  const losing = change(scene.context, testRequest, async () => {
    isVisible = false;
  });
  const late = cancelBatch(scene.context, scene.request, async () => {
    if (!isVisible) throw notFound("batch", batch.id, "batch_id");
    return batch;
  });
  await losing;
  await expect(late).rejects.toBeInstanceOf(Refusal);
  expect([scene.stopped, (await scene.find()).status]).toEqual([[], "in_progress"]);
});
