import type { RequestSettings } from "@/lib/contract/operations/calls/receipt-parts";
import type { CatalogueModel } from "../../models/catalogue";
import { DEFAULT_CONTEXT_WINDOW } from "../../providers/prompt-size/estimate-prompt";
import type { Admission } from "../../rate-limits/admissions";

/** The output limit of one choice of an admitted call. */
export interface OutputLimit {
  /** What the provider is told. Null where nobody has named a limit, and a whole window of output is held for. */
  readonly sent: number | null;
  /** What made it less than was asked for; null if nothing did. */
  readonly loweredBy: RequestSettings["lowered_by"];
}

type ModelBounds = Pick<CatalogueModel, "maxOutputTokens" | "contextWindow" | "typicalOutputTokens">;

/**
 * The most output that a call may have, before the balance is asked: what its client asks for, at most what the model
 * writes. Without either, the context window bounds it.
 */
export function findMostOutput(
  { maxOutputTokens, contextWindow, typicalOutputTokens }: ModelBounds,
  asked: number | null,
  promptTokens: number,
): number {
  if (asked !== null) return Math.min(asked, maxOutputTokens ?? contextWindow ?? asked);
  if (maxOutputTokens === null) return contextWindow ?? DEFAULT_CONTEXT_WINDOW;
  if (contextWindow === null) return maxOutputTokens;
  return Math.min(maxOutputTokens, Math.max(contextWindow - promptTokens, typicalOutputTokens));
}

/** The limit that an admitted call has, of what its client asked for. */
export function findOutputLimit(
  { maxOutputTokens, request }: Pick<Admission, "maxOutputTokens" | "request">,
  model: Pick<CatalogueModel, "maxOutputTokens">,
  asked: number | null,
): OutputLimit {
  if (maxOutputTokens < request.maxOutputTokens) return { sent: maxOutputTokens, loweredBy: "balance" };
  if (asked !== null) return { sent: maxOutputTokens, loweredBy: maxOutputTokens < asked ? "model" : null };
  return { sent: model.maxOutputTokens === null ? null : maxOutputTokens, loweredBy: null };
}
