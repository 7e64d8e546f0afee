import { ZERO } from "@/lib/money/amount";
import type { Admission, Admissions } from "../admission/admissions";
import type { CatalogueModel } from "../models/catalogue";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";

export interface AdmitBatchContext {
  readonly admissions: Pick<Admissions, "admit" | "leave" | "release">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "limitsOf">;
}

/** The totals of a file's lines. */
export interface BatchSize {
  readonly lines: number;
  readonly model: CatalogueModel;
  readonly promptTokens: number;
}

const noPrice = { inputPer1m: ZERO, outputPer1m: ZERO, rate: ZERO };

/**
 * Counts the creation of a batch in the limits: one request, and the prompt tokens of all its lines. It holds no money. Call `leave`
 * once the batch is stored, or `release` to return what was counted. @throws NotAdmitted 429
 */
export async function admitBatch(
  { admissions, rateLimitMirror }: AdmitBatchContext,
  whose: { readonly projectId: string; readonly keyId: string },
  { model, promptTokens: batchInputTokens }: BatchSize,
): Promise<Admission> {
  return admissions.admit({
    ...whose,
    model: model.id,
    limits: rateLimitMirror.limitsOf(whose.projectId, model),
    price: noPrice,
    promptTokens: 0,
    batchInputTokens,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
  });
}
