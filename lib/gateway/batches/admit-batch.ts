import { type Nano, ZERO } from "@/lib/money/amount";
import type { CatalogueModel } from "../models/catalogue";
import type { Admission, AdmissionRequest, Admissions } from "../rate-limits/admissions";
import type { RateLimitMirror } from "../rate-limits/rate-limit-mirror";

export interface AdmitBatchContext {
  readonly admissions: Pick<Admissions, "admit" | "leave" | "preview" | "release">;
  readonly rateLimitMirror: Pick<RateLimitMirror, "effectiveLimits">;
}

/** The totals of a file's lines. */
export interface BatchSize {
  readonly lines: number;
  readonly model: CatalogueModel;
  readonly promptTokens: number;
  /** The charges of all lines, with outputs of the expected length, and with the maximum outputs they allow. */
  readonly expectedCharge: Nano;
  readonly maxCharge: Nano;
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
export async function admitBatch(
  context: AdmitBatchContext,
  payer: Payer,
  size: BatchSize,
): Promise<Admission> {
  return context.admissions.admit(describeBatchCreation(context, payer, size));
}

/** Describes the creation of a batch for admission. */
export function describeBatchCreation(
  { rateLimitMirror }: Pick<AdmitBatchContext, "rateLimitMirror">,
  payer: Payer,
  { model, promptTokens: batchInputTokens }: BatchSize,
): AdmissionRequest {
  return {
    ...payer,
    model: model.id,
    limits: rateLimitMirror.effectiveLimits(payer.projectId, model),
    price: noPrice,
    promptTokens: 0,
    batchInputTokens,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
  };
}
