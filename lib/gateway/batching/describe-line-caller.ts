import type { BatchEndpoint } from "../../contract/operations/batches";
import { completionOperations } from "../../contract/operations/completions";
import { embeddingOperations } from "../../contract/operations/embeddings";
import { authorize } from "../access/authorize";
import type { Caller } from "../access/caller";
import { unauthenticated } from "../refusal";

export interface LineCallerContext {
  /** Returns the caller with a key's or member's id; null once the key is revoked or the member removed. */
  findCaller(keyId: string): Caller | null;
}

const operationAt = {
  "/v1/chat/completions": completionOperations.createChatCompletion,
  "/v1/embeddings": embeddingOperations.createEmbedding,
} as const satisfies Record<BatchEndpoint, object>;

/** Returns the present caller of a batch's lines. @throws Refusal 401 or 403 if it may no longer make them. */
export function describeLineCaller(
  { findCaller }: LineCallerContext,
  { keyId, projectId, endpoint }: { keyId: string; projectId: string; endpoint: BatchEndpoint },
): Caller {
  const caller = findCaller(keyId);
  if (!caller) throw unauthenticated();
  authorize(operationAt[endpoint], caller, {}, projectId);
  return caller;
}
