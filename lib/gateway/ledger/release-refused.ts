import type { HoldDraft, Release } from "./funds";

/** Ends a call that was refused while its hold was in transit, `afterMs` after it arrived. */
export function releaseRefused(
  { id, promptTokens, maxCompletionTokens, createdAtMs }: HoldDraft,
  afterMs: number,
): Release {
  const estimatedTokens = promptTokens + maxCompletionTokens;
  const times = { firstByteMs: null, durationMs: afterMs, atMs: createdAtMs + afterMs };
  return {
    holdId: id,
    end: {
      outcome: "unsent",
      status: 503,
      stream: false,
      estimatedTokens,
      provider: null,
      receiptDetails: null,
      ...times,
    },
  };
}
