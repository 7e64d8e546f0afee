import { computeChange } from "@/components/ui/values/write-figures";
import type { UsageFigures, UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { MetricName } from "./metrics";

export const sizes: Record<MetricName, (figures: UsageFigures) => bigint> = {
  spend: ({ amount }) => parseCheckedAmount(amount),
  requests: ({ requests }) => BigInt(requests),
  tokens: ({ prompt_tokens, completion_tokens }) => BigInt(prompt_tokens + completion_tokens),
  failures: ({ errors, refusals }) => BigInt(errors + refusals),
  latency: ({ duration_p95_ms }) => BigInt(duration_p95_ms ?? 0),
};

/**
 * Returns a metric's change since the previous period in thousandths; null if the previous value is zero or was not
 * read.
 */
export function compareMetric(
  name: MetricName,
  { totals, previous }: Pick<UsageSummary, "totals" | "previous">,
): number | null {
  return previous && computeChange(sizes[name](totals), sizes[name](previous.totals));
}
