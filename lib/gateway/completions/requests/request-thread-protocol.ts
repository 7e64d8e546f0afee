import type { PromptEstimate } from "../../providers/prompt-size/estimate-prompt";
import type { Refusal } from "../../refusal";
import type { Terms } from "./build-upstream-body";
import type { PreparedRequest, PromptCounting } from "./prepared-request";
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
  | { kind: "estimate"; id: number; counting: PromptCounting }
  | { kind: "upstream"; id: number; terms: Terms }
  | { kind: "release"; id: number };

/** The answers to all questions but a release, in their order. */
export type ThreadAnswer =
  | ({ kind: "read" } & Pick<
      PreparedRequest,
      "endpoint" | "fields" | "bodyHash" | "showsThinking" | "lacksMessages"
    >)
  | { kind: "estimate"; estimate: PromptEstimate }
  | { kind: "upstream"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "refused"; refusal: Pick<Refusal, "status" | "type" | "code" | "message" | "details"> }
  | { kind: "fault"; reason: string };
