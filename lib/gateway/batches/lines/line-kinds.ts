import type { Operation } from "@/lib/contract/operation";
import { completionOperations } from "@/lib/contract/operations/calls/completions";
import { embeddingOperations } from "@/lib/contract/operations/calls/embeddings";
import type { BatchEndpoint } from "@/lib/contract/operations/tasks/batches";
import type { BodyKind } from "../../calls/requests/read-request";

/** The calls that a batch can make, by its endpoint. */
export const lineKinds = {
  "/v1/chat/completions": { kind: "chat completion", operation: completionOperations.createChatCompletion },
  "/v1/embeddings": { kind: "embedding", operation: embeddingOperations.createEmbedding },
} as const satisfies Readonly<Record<BatchEndpoint, { kind: BodyKind; operation: Operation }>>;

export type LineKind = (typeof lineKinds)[BatchEndpoint]["kind"];
