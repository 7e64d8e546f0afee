import type { Nano } from "@/lib/money/amount";
import type { TokenUsage } from "@/lib/money/charge";
import type { CallEnd, HoldDraft, RefusedRequest } from "../balance/funds";
import type { CallTrace } from "../requests/call-trace";

/** A call that was admitted, once its end is on disk. */
export interface ObservedCall {
  readonly hold: Pick<HoldDraft, "requestId" | "projectId" | "model">;
  readonly end: CallEnd;
  /** Null for a call that cost nothing. */
  readonly usage: TokenUsage | null;
  readonly charge: Nano | null;
}

/** An operation of the ledger's writer that was waited for. */
export type LedgerWrite = "hold" | "settle" | "release";

/** What is told of calls to whoever watches the gateway. It must not throw, and nothing waits for it. */
export interface CallObserver {
  ended?(call: ObservedCall): void;
  refused?(refused: RefusedRequest): void;
  /** @param seconds from its being asked for until it was on disk, or failed. */
  wrote?(write: LedgerWrite, seconds: number): void;
}

/** What a call asked for, by the conventions' names of operations. */
export function operationOf({ client }: Pick<CallTrace, "client">): "chat" | "embeddings" {
  return client?.endpoint === "embeddings" ? "embeddings" : "chat";
}
