import type { HoldDraft } from "../../ledger/funds";
import type { DecidedCall } from "../admissions";

/** The hold of a test's call. */
export function draftTestHold(
  id: string,
  { request, holdAmount, maxOutputTokens }: DecidedCall,
  nowMs: number,
  more: Partial<HoldDraft> = {},
): HoldDraft {
  const { projectId, keyId, model, promptTokens, price } = request;
  return {
    id: `hold_${id}`,
    requestId: `req_${id}`,
    amount: holdAmount,
    projectId,
    keyId,
    model,
    promptTokens,
    maxCompletionTokens: maxOutputTokens,
    price,
    createdAtMs: nowMs,
    deadlineAtMs: nowMs + 600_000,
    ...more,
  };
}
