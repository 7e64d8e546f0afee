import { alreadyCharged } from "../../calls/answer-once";
import { formatIdempotencyScope } from "../../idempotency/idempotency";
import type { IdempotentCharges } from "../../idempotency/idempotent-replies.sql";
import type { BatchRecord } from "../batch-store";
import { formatLineKey, type LineBody, onOneLine } from "./answer-line";

export interface FormerAnswerContext {
  readonly idempotentCharges: IdempotentCharges;
}

/**
 * Finds what an earlier process did for a line: the answer that it charged; `under way` if its call has an open hold;
 * or null. A line that it charged has this answer even if its batch was canceled or its key revoked in the meantime.
 */
export async function findFormerAnswer(
  { idempotentCharges }: FormerAnswerContext,
  batch: BatchRecord,
  line: number,
): Promise<{ status: number; requestId: string; body: LineBody } | "under way" | null> {
  const idempotencyKey = {
    scope: formatIdempotencyScope(batch.projectId, batch.keyId),
    key: formatLineKey(batch.id, line),
  };
  // In this order: a call that ends between the two reads is found by the second.
  const isHeld = await idempotentCharges.isHeld(idempotencyKey);
  const storedCharge = await idempotentCharges.find(idempotencyKey, batch.createdAtMs - 1);
  if (!storedCharge) return isHeld ? "under way" : null;
  const { requestId, reply } = storedCharge;
  if (reply !== null) return { status: 200, requestId, body: [onOneLine(Buffer.from(reply))] };
  const refusal = alreadyCharged(storedCharge);
  const body = [Buffer.from(JSON.stringify(refusal.body(requestId)))];
  return { status: refusal.status, requestId, body };
}
