import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import type { BatchDraft, BatchPreview } from "@/lib/contract/operations/tasks/batches";
import { formatAmount, ZERO } from "@/lib/money/amount";
import type { Caller } from "../access/caller";
import { describeRefusal } from "../calls/call-access";
import { type ChangeContext, type ChangeRequest, change } from "../changes/change";
import type { Clock, ClockAndRandom } from "../clock";
import type { FileRecord } from "../files/file-store.sql";
import type { Admission, AdmissionRequest, Admissions } from "../rate-limits/admissions";
import type { RateLimitCache } from "../rate-limits/rate-limits";
import { conflict, notFound } from "../refusal";
import { type BatchRecord, type BatchStore, NO_PROGRESS } from "./batch-store.sql";
import { type BatchSize, type CheckContext, type CheckedBatch, checkFile } from "./check-file";

interface AdmitBatchContext {
  readonly admissions: Pick<Admissions, "admit" | "leave" | "preview" | "release">;
  readonly rateLimitCache: Pick<RateLimitCache, "effectiveLimits">;
}

interface Payer {
  readonly projectId: string;
  readonly keyId: string;
}

const noPrice = { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO };

/**
 * Counts the creation of a batch in the limits: one request, and the prompt tokens of all its lines. It holds no money.
 * Call `leave` once the batch is stored, or `release` to return what was counted. @throws NotAdmitted 429
 */
async function admitBatch(context: AdmitBatchContext, payer: Payer, size: BatchSize): Promise<Admission> {
  const describe = () => describeBatchCreation(context, payer, size);
  return context.admissions.admit(describe(), describe);
}

/** Describes the creation of a batch for admission. */
function describeBatchCreation(
  { rateLimitCache }: Pick<AdmitBatchContext, "rateLimitCache">,
  payer: Payer,
  { model, promptTokens: batchInputTokens }: BatchSize,
): AdmissionRequest {
  return {
    ...payer,
    model: model.id,
    limits: rateLimitCache.effectiveLimits(payer.projectId, model),
    price: noPrice,
    promptTokens: 0,
    batchInputTokens,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
  };
}

export interface CreateBatchContext extends ChangeContext, CheckContext, AdmitBatchContext {
  readonly batches: BatchStore;
  readonly runtime: ClockAndRandom;
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
  const { runtime, batches } = context;
  const nowMs = runtime.clock.nowMs();
  const createId = (prefix: "batch" | "file") => newId(prefix, nowMs, runtime.random);
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

export interface PreviewBatchContext extends CheckContext, AdmitBatchContext {
  readonly organization: { readonly currency: string };
}

/** Returns the size and cost of a batch of a file. Counts and stores nothing. @throws Refusal for an invalid file. */
export async function previewBatch(context: PreviewBatchContext, batch: CheckedBatch): Promise<BatchPreview> {
  const { caller, projectId, file, endpoint } = batch;
  const size = await checkFile(context, batch);
  const creation = describeBatchCreation(context, { projectId, keyId: caller.keyId }, size);
  const { limits, refusal } = await context.admissions.preview(creation);
  const limit = limits.find(({ field }) => field === "batch_1_day_max_input_tokens");
  return {
    object: "batch.preview",
    input_file_id: file.id,
    endpoint,
    model: size.model.id,
    lines: size.lines,
    input_tokens: size.promptTokens,
    currency: context.organization.currency,
    expected_charge: formatAmount(size.expectedCharge),
    most_charge: formatAmount(size.maxCharge),
    limit: limit ? { max: limit.max, used: limit.used } : null,
    refusal: refusal && describeRefusal(refusal.asSeenBy(caller.permissionsIn)),
  };
}

export interface CancelBatchContext extends ChangeContext {
  readonly batches: Pick<BatchStore, "find" | "requestCancel">;
  readonly runtime: { readonly clock: Clock };
  /** Starts no further lines of a batch. */
  stopBatch(id: string): void;
}

/**
 * Requests the cancellation of a batch. It ends once the lines under way are answered. A repeated request
 * changes nothing.
 * @param findBatch finds the batch if the caller may cancel it. It is called within the transaction.
 * @throws Refusal 409 for a batch that has ended.
 */
export async function cancelBatch(
  context: CancelBatchContext,
  request: ChangeRequest,
  findBatch: () => Promise<BatchRecord>,
): Promise<BatchRecord> {
  const { batches, runtime } = context;
  const batch = await change(context, request, async (transaction) => {
    const found = await findBatch();
    refuseEnded(found);
    await batches.requestCancel(transaction, found.id, runtime.clock.nowMs());
    return found;
  });
  context.stopBatch(batch.id);
  return (await batches.find(batch.id)) ?? batch;
}

function refuseEnded({ id, status, endedAtMs }: BatchRecord): void {
  if (endedAtMs === null) return;
  throw conflict("batch_id", `The batch "${id}" has ended: it is ${status}.`, "batch_ended");
}
