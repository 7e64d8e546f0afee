import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { Nano } from "@/lib/money/amount";
import type { TokenUsage } from "@/lib/money/charge";
import type { CallEnd, HoldDraft, RefusedRequest } from "../../ledger/funds";

/** An admitted call, once its end is on disk. */
export interface ObservedCall {
  readonly hold: Pick<HoldDraft, "requestId" | "projectId" | "model">;
  /** The family of a task's model; absent for other calls. */
  readonly family?: MediaFamily | undefined;
  readonly end: CallEnd;
  /** Null for a call that cost nothing. */
  readonly usage: TokenUsage | null;
  readonly charge: Nano | null;
}

/** A write by the ledger's writer that a call waits for. */
export type LedgerWrite = "hold" | "settle" | "release";

/** Receives what happens to calls. It must not throw, and nothing waits for it. */
export interface CallObserver {
  onEnd?(call: ObservedCall): void;
  onRefusal?(request: RefusedRequest): void;
  /** @param seconds from the request of the write until it was on disk, or failed. */
  onWrite?(write: LedgerWrite, seconds: number): void;
}

/** The operation's name: OpenTelemetry's if its conventions have one, such as `chat`. */
const operations: Readonly<Record<RequestClient["endpoint"], string>> = {
  "chat/completions": "chat",
  messages: "chat",
  responses: "chat",
  embeddings: "embeddings",
  moderations: "moderations",
  "images/generations": "images",
  "images/edits": "images",
  videos: "videos",
  "audio/speech": "speech",
  "audio/transcriptions": "transcription",
  "audio/translations": "translation",
};

/** A task has the name of what it makes, whatever endpoint it was ordered at. */
const tasks: Readonly<Record<MediaFamily, string>> = { image: "images", video: "videos", music: "music" };

export function nameOperation(endpoint: RequestClient["endpoint"] | undefined, family?: MediaFamily): string {
  return family ? tasks[family] : operations[endpoint ?? "chat/completions"];
}
