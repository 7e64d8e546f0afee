import { MINUTE_MS } from "@/lib/contract/durations";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { formatAmount } from "@/lib/money/amount";
import type { BatchRecord } from "../../batches/batch-store.sql";
import { toNullableUnixSeconds, toUnixSeconds } from "../../unix-seconds";

/** A process stores a batch's pace more often than this, so an older one is no longer true. */
const PACE_MS = MINUTE_MS;

/** Returns a batch in the API's form. @param pace the speed at which this process runs it; null if another one does. */
export function describeBatch(
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
