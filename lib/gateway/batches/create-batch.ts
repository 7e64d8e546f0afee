import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { BatchDraft } from "@/lib/contract/operations/tasks/batches";
import type { Caller } from "../access/caller";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Effects } from "../effects";
import type { FileRecord } from "../files/file-store.sql";
import { conflict, notFound } from "../refusal";
import { type AdmitBatchContext, admitBatch, type BatchSize } from "./admit-batch";
import { type BatchRecord, type BatchStore, NO_PROGRESS } from "./batch-store";
import { type CheckContext, checkFile } from "./check-file";

export interface CreateBatchContext extends ChangeContext, CheckContext, AdmitBatchContext {
  readonly batches: BatchStore;
  readonly effects: Effects;
}

const MAX_RUNNING = 50;

/**
 * Creates a batch from a file, if its caller may make every call in it. The prompts count in the day's limits; each
 * call is admitted and charged separately.
 * @throws Refusal 400 naming the first invalid line, 404 if the file was deleted in the meantime, 409, or 429. Nothing
 * is counted then.
 */
export async function createBatch(
  context: CreateBatchContext,
  request: ChangeRequest,
  { caller, projectId, file }: { caller: Caller; projectId: string; file: FileRecord },
  draft: BatchDraft,
): Promise<BatchRecord> {
  await refuseCrowd(context.batches, projectId);
  const size = await checkFile(context, { caller, projectId, file, endpoint: draft.endpoint });
  return store(context, request, { caller, projectId, file, size }, draft);
}

async function store(
  context: CreateBatchContext,
  request: ChangeRequest,
  origin: { caller: Caller; projectId: string; file: FileRecord; size: BatchSize },
  draft: BatchDraft,
): Promise<BatchRecord> {
  const { caller, projectId, file, size } = origin;
  const { effects, batches } = context;
  const nowMs = effects.clock.nowMs();
  const createId = (prefix: "batch" | "file") => newId(prefix, nowMs, effects.random);
  const batch: BatchRecord = {
    id: createId("batch"),
    projectId,
    keyId: caller.keyId,
    endpoint: draft.endpoint,
    model: size.model.id,
    metadata: draft.metadata ?? null,
    inputFileId: file.id,
    inputBytes: file.bytes,
    outputFileId: createId("file"),
    errorFileId: createId("file"),
    status: "in_progress",
    total: size.lines,
    countedTokens: size.promptTokens,
    outputExpiresAfterMs: draft.output_expires_after ? draft.output_expires_after.seconds * 1_000 : null,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + DAY_MS,
    cancelRequestedAtMs: null,
    endedAtMs: null,
    pace: null,
    ...NO_PROGRESS,
  };
  const admission = await admitBatch(context, { projectId, keyId: caller.keyId }, size);
  try {
    await change(context, request, async (transaction) => {
      // Others may have been created while the lines of this one were checked.
      await refuseCrowd(batches, projectId);
      if (!(await batches.insert(transaction, batch))) throw notFound("file", file.id, "input_file_id");
    });
  } catch (error) {
    await context.admissions.release(admission, { sent: false });
    throw error;
  }
  await context.admissions.leave(admission);
  return batch;
}

/** @throws Refusal 409 if a project has as many batches under way as it may. */
async function refuseCrowd(batches: BatchStore, projectId: string): Promise<void> {
  if ((await batches.countUnderWay(projectId)) < MAX_RUNNING) return;
  const message = `The project has ${MAX_RUNNING} batches under way, the most there may be. Wait until one has ended.`;
  throw conflict("input_file_id", message, "too_many_batches");
}
