import type { BatchPreview } from "@/lib/contract/operations/tasks/batches";
import { formatAmount } from "@/lib/money/amount";
import { describeRefusal } from "../calls/preview-call";
import { type AdmitBatchContext, describeBatchCreation } from "./admit-batch";
import { type CheckContext, checkFile } from "./check-file";
import type { CheckedBatch } from "./lines/check-lines";

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
