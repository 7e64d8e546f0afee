import type { Refusal } from "../../refusal";
import type { Terms } from "./build-upstream-body";
import type { Counting } from "./counting";
import type { CompletionRequest, OrderRequest, RequestEstimate } from "./prepared-request";
import type { ReadingOptions } from "./read-request";

/** Questions for the thread; `id` names the request that it keeps. */
export type ThreadQuestion =
  | {
      kind: "read";
      id: number;
      pieces: readonly Uint8Array<ArrayBuffer>[];
      options: ReadingOptions;
      entries: number;
    }
  | { kind: "estimate"; id: number; counting: Counting }
  | { kind: "upstream"; id: number; terms: Terms }
  | { kind: "release"; id: number };

/** What a call needs of a request at once. */
type RequestHead =
  | Pick<CompletionRequest, "answeredBy" | "endpoint" | "protocol" | "fields" | "bodyHash" | "embeddingForm">
  | Pick<OrderRequest, "answeredBy" | "endpoint" | "fields" | "bodyHash">;

/** What is known of a request once it is translated. */
export type TranslationFacts = Pick<CompletionRequest, "message" | "chatReply" | "leftOut">;

/** The answers to all questions but a release, in their order. */
export type ThreadAnswer =
  | { kind: "read"; read: RequestHead }
  | { kind: "estimate"; estimate: RequestEstimate; translated: TranslationFacts }
  | { kind: "upstream"; bytes: Uint8Array<ArrayBuffer>; translated: TranslationFacts }
  | { kind: "refused"; refusal: Pick<Refusal, "status" | "type" | "code" | "message" | "details"> }
  | { kind: "fault"; reason: string };
