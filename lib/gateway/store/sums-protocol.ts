import type { LimitPast, LimitPeak } from "../rate-limits/limit-uses";
import type { UsageQuestion, UsageSummary } from "../usage/usage-summary";

/** What the gateway asks of its thread of sums. */
export type ToSums =
  | { readonly kind: "open"; readonly path: string }
  | { readonly kind: "summarize"; readonly id: number; readonly question: UsageQuestion }
  | { readonly kind: "keep peaks"; readonly atMs: number; readonly peaks: readonly LimitPeak[] }
  | {
      readonly kind: "limits";
      readonly id: number;
      readonly projectIds: readonly string[] | null;
      readonly nowMs: number;
    }
  | { readonly kind: "close" };

export type FromSums =
  | { readonly kind: "summary"; readonly id: number; readonly summary: UsageSummary }
  | { readonly kind: "limits"; readonly id: number; readonly past: LimitPast[] }
  /** The answer to a question, or what kept calls from being summed. */
  | { readonly kind: "fault"; readonly id: number | null; readonly reason: string }
  | { readonly kind: "closed" };
