import type { BatchEndpoint } from "@/lib/contract/operations/tasks/batches";
import { authorize } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { unauthenticated } from "../../refusal";
import { lineKinds } from "./line-kinds";

export interface LineCallerContext {
  /**
   * Returns the caller with a key's or member's id, after a rotation with the new key; null once the key is revoked or
   * the member removed.
   */
  findCaller(keyId: string): Caller | null;
}

/**
 * Returns the present caller of a batch's lines, whose charges stay with the batch's key. @throws Refusal 401 or 403 if
 * it may no longer make them.
 */
export function describeLineCaller(
  { findCaller }: LineCallerContext,
  { keyId, projectId, endpoint }: { keyId: string; projectId: string; endpoint: BatchEndpoint },
): Caller {
  const caller = findCaller(keyId);
  if (!caller) throw unauthenticated();
  authorize(lineKinds[endpoint].operation, caller, {}, projectId);
  return caller.keyId === keyId ? caller : { ...caller, keyId };
}
