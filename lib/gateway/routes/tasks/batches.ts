import { MINUTE_MS } from "@/lib/contract/durations";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { formatAmount } from "@/lib/money/amount";
import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import { findChargedProject, listVisibleProjects, narrowTo } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { BatchRecord } from "../../batches/batch-store.sql";
import {
  type CancelBatchContext,
  type CreateBatchContext,
  cancelBatch,
  createBatch,
  type PreviewBatchContext,
  previewBatch,
} from "../../batches/batches";
import { readBatchErrors } from "../../batches/lines/line-results";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import type { FileStore } from "../../files/file-store.sql";
import type { ProjectCache } from "../../projects/projects";
import type { RequestHeaders } from "../../request-headers";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { findBatch, findFile, listVisibleKeyIds } from "../visible-work";

type Ids =
  | "previewBatch"
  | "createBatch"
  | "listBatches"
  | "retrieveBatch"
  | "retrieveBatchErrors"
  | "cancelBatch";

interface Context extends CreateBatchContext, PreviewBatchContext, CancelBatchContext, AuthenticationContext {
  readonly batches: CreateBatchContext["batches"];
  readonly runtime: CreateBatchContext["runtime"];
  readonly files: FileStore;
  readonly projectCache: Pick<ProjectCache, "find">;
  /** Makes the runner look for batches at once. */
  workOnBatches(): void;
  describePace(id: string): Batch["pace"];
}

export function batchRoutes(context: Context): Handlers<Ids> {
  const { batches, graph, runtime } = context;
  const describe = (batch: BatchRecord) =>
    describeBatch(batch, {
      currency: context.organization.currency,
      pace: context.describePace(batch.id),
      nowMs: runtime.clock.nowMs(),
    });
  const toBatchOwner = async (
    body: { readonly input_file_id: string },
    { caller, headers }: { readonly caller: Caller; readonly headers: RequestHeaders },
  ) => ({
    caller,
    projectId: findChargedProject(context.projectCache, caller, headers),
    file: await findFile(context, body.input_file_id, caller, "api.files.read"),
  });
  return {
    previewBatch: async ({ body, ...request }) =>
      previewBatch(context, { ...(await toBatchOwner(body, request)), endpoint: body.endpoint }),
    createBatch: async ({ body, request, ...asked }) => {
      const batch = await createBatch(context, request, await toBatchOwner(body, asked), body);
      context.workOnBatches();
      return describe(batch);
    },
    listBatches: ({ query, caller }) => {
      const { project_id, status, model, ...page } = query;
      const visible = listVisibleProjects(graph, caller, "api.batches.read");
      const keyIds = listVisibleKeyIds(context, caller);
      const filter = { projectIds: narrowTo(visible, project_id), keyIds, status, model };
      return paginate(batches.pages(filter), page, describe);
    },
    retrieveBatch: async ({ params, caller }) =>
      describe(await findBatch(context, params.batch_id, caller, "api.batches.read")),
    retrieveBatchErrors: async ({ params, caller }) =>
      readBatchErrors(context, await findBatch(context, params.batch_id, caller, "api.batches.read")),
    cancelBatch: async ({ params, headers, request }) =>
      describe(
        await cancelBatch(context, request, () =>
          findBatch(context, params.batch_id, authenticateAgain(context, headers), "api.batches.write"),
        ),
      ),
  };
}

/** A process stores a batch's pace more often than this, so an older one is no longer true. */
const PACE_MS = MINUTE_MS;

/** Returns a batch in the API's form. @param pace the speed at which this process runs it; null if another one does. */
function describeBatch(
  batch: BatchRecord,
  {
    currency,
    pace,
    nowMs,
  }: { readonly currency: string; readonly pace: Batch["pace"]; readonly nowMs: number },
): Batch {
  const { id, endpoint, model, projectId, status, endedAtMs, inputTokens, outputTokens } = batch;
  const createdAt = toUnixSeconds(batch.createdAtMs);
  const endedAs = (end: BatchRecord["status"]) =>
    status === end && endedAtMs !== null ? toUnixSeconds(endedAtMs) : null;
  return {
    id,
    object: "batch",
    endpoint,
    model,
    project_id: projectId,
    key_id: batch.keyId,
    errors: null,
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status,
    output_file_id: endedAtMs !== null && batch.outputBytes > 0 ? batch.outputFileId : null,
    error_file_id: endedAtMs !== null && batch.errorBytes > 0 ? batch.errorFileId : null,
    created_at: createdAt,
    in_progress_at: createdAt,
    expires_at: toUnixSeconds(batch.expiresAtMs),
    finalizing_at: toNullableUnixSeconds(endedAtMs),
    completed_at: endedAs("completed"),
    failed_at: null,
    expired_at: endedAs("expired"),
    cancelling_at: toNullableUnixSeconds(batch.cancelRequestedAtMs),
    cancelled_at: endedAs("cancelled"),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: batch.cachedTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
    amount: batch.charged === null ? null : formatAmount(batch.charged),
    currency,
    pace: endedAtMs === null ? (pace ?? readStoredPace(batch, nowMs)) : null,
    metadata: batch.metadata,
  };
}

function readStoredPace({ pace }: BatchRecord, nowMs: number): Batch["pace"] {
  if (pace === null || nowMs - pace.atMs > PACE_MS) return null;
  return { lines_per_minute: pace.linesPerMinute, waits_for: pace.waitsFor };
}
