import { expect, test } from "bun:test";
import { type BatchRecord, createBatchStore, NO_PROGRESS } from "../batches/batch-store.sql";
import { openTemporaryDatabase, testRequest } from "../database/testing/open-temporary-database";
import { notFound } from "../refusal";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { createFileStore, type FileRecord } from "./file-store.sql";
import { deleteFile } from "./files";

const file: FileRecord = {
  id: "file-a",
  projectId: "proj_default",
  keyId: "key_a",
  purpose: "batch",
  filename: "in.jsonl",
  bytes: 1,
  createdAtMs: 0,
  expiresAtMs: null,
};
const batch: BatchRecord = {
  ...NO_PROGRESS,
  id: "batch_a",
  projectId: "proj_default",
  keyId: "key_a",
  endpoint: "/v1/chat/completions",
  model: "sandbox-echo",
  metadata: null,
  inputFileId: file.id,
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

async function openScene() {
  const temporary = await openTemporaryDatabase();
  const files = createFileStore(temporary.reads);
  await temporary.run((transaction) => files.complete(transaction, file, 0));
  const removed: string[] = [];
  const context = {
    changes: await temporary.changes(),
    files,
    storedFiles: { delete: async (id: string) => void removed.push(id) },
    runtime: simulatedRuntime(),
  };
  const actor = { kind: "project_key", id: "key_b", keyId: "key_b", userId: null, email: null } as const;
  const request = { ...testRequest, event: { ...testRequest.event, type: "file.deleted", actor } };
  return {
    request,
    removed,
    remove: () => deleteFile(context, request, async () => (await files.find(file.id)) ?? missing()),
    startBatch: () =>
      temporary.run((transaction) => createBatchStore(temporary.reads).insert(transaction, batch)),
    events: () =>
      temporary.reads
        .selectFrom("audit_logs")
        .where("type", "=", "file.deleted")
        .select(["project_id", "actor_id", "changes"])
        .execute(),
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}

function missing(): never {
  throw notFound("file", file.id, "file_id");
}

test("a deletion is one event that names who asked for it, also if it is requested twice at once", async () => {
  await using scene = await openScene();
  const [first] = await Promise.allSettled([scene.remove(), scene.remove()]);
  expect(first.status).toBe("fulfilled");
  const events = await scene.events();
  expect(events).toMatchObject([{ project_id: "proj_default", actor_id: "key_b" }]);
  expect(JSON.parse(events[0]?.changes ?? "")).toMatchObject([{ object: "files", id: file.id }]);
  expect(scene.removed).toContain(file.id);
});

test("a file that a batch reads is neither deleted nor in the log", async () => {
  await using scene = await openScene();
  await scene.startBatch();
  await expect(scene.remove()).rejects.toMatchObject({ status: 409, code: "in_use" });
  expect([scene.removed, await scene.events()]).toEqual([[], []]);
});
