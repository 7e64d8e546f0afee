import type { UsageQuestion, UsageSummary } from "../usage/usage-summary";

/** What the gateway asks of its thread of sums. */
export type ToSums =
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "summarize"; readonly id: number; readonly question: UsageQuestion }
  | { readonly kind: "close" };

export type FromSums =
  | { readonly kind: "summary"; readonly id: number; readonly summary: UsageSummary }
  /** The answer to a question, or what kept calls from being summed. */
  | { readonly kind: "fault"; readonly id: number | null; readonly reason: string }
  | { readonly kind: "closed" };
