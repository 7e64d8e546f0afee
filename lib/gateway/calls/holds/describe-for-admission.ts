import { ZERO } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import type { CatalogueModel } from "../../models/catalogue";
import { DEFAULT_CONTEXT_WINDOW } from "../../providers/prompt-size/estimate-prompt";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { MODEST_OUTPUT_TOKENS } from "../../rate-limits/charge-bounds";
import type { RateLimitCache } from "../../rate-limits/rate-limits";
import { readMaxTokens } from "../requests/chat-request";
import type { IncomingCall } from "../requests/incoming-call";
import { findMostOutput } from "../requests/output-limit";
import type { CompletionRequest, RequestEstimate } from "../requests/prepared-request";

const openEnded = { isOpenEnded: true } as const;

export interface DescribeContext {
  readonly rateLimitCache: Pick<RateLimitCache, "effectiveLimits">;
}

/** Describes a call for admission. */
export function describeForAdmission(
  { rateLimitCache }: DescribeContext,
  { caller, request, projectId }: Pick<IncomingCall<CompletionRequest>, "caller" | "request" | "projectId">,
  model: CatalogueModel,
  estimate: RequestEstimate,
): AdmissionRequest {
  const requested = readMaxTokens(request.fields);
  const isChat = request.endpoint === "chat/completions";
  const maxOutputTokens = estimate.holdsWholeOutput
    ? (model.maxOutputTokens ?? MODEST_OUTPUT_TOKENS)
    : isChat
      ? findMostOutput(model, requested, estimate.promptTokens)
      : 0;
  return {
    projectId,
    keyId: caller.keyId,
    model: model.id,
    limits: rateLimitCache.effectiveLimits(projectId, model),
    price: findSnapshot(model),
    ...estimate,
    contextTokens: model.contextWindow ?? DEFAULT_CONTEXT_WINDOW,
    maxOutputTokens,
    expectedOutputTokens: Math.min(requested ?? model.typicalOutputTokens, maxOutputTokens),
    ...(isChat && requested === null && openEnded),
    choices: request.fields.n ?? 1,
  };
}

/** The catalogue replaces a model's object whenever its price or rate changes. */
const snapshots = new WeakMap<CatalogueModel, PriceSnapshot>();

/** @throws TypeError for a model without a price, which is not callable. */
function findSnapshot(model: CatalogueModel): PriceSnapshot {
  const cached = snapshots.get(model);
  if (cached) return cached;
  const snapshot = { ...pickPrices(model), rate: model.rate };
  snapshots.set(model, snapshot);
  return snapshot;
}

function pickPrices({ price, unitPrice, audioPrice }: CatalogueModel): Omit<PriceSnapshot, "rate"> {
  if (price) {
    return { ...price, ...(audioPrice && { audio: audioPrice }) };
  }
  if (!unitPrice) throw new TypeError("A model without a price is not callable");
  return { inputPer1m: ZERO, outputPer1m: ZERO, perUnit: { unit: unitPrice.unit, amount: unitPrice.amount } };
}
