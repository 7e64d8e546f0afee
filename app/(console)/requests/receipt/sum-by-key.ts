import type { RankedBar } from "@/components/chart/ranked-bars";
import { formatCount } from "@/components/values/group-digits";
import { paths } from "@/lib/console/paths";
import type { LoggedRequest } from "@/lib/contract/operations/requests";
import { type RateLimitField, rateLimitTable } from "@/lib/contract/rate-limit-table";

const SHOWN_KEYS = 5;

/** What a limit counts of a call: its tokens, or the call itself. */
export function measure(field: RateLimitField, call: LoggedRequest): number {
  const counted = rateLimitTable[field].counts;
  if (counted === "tokens") {
    const { prompt_tokens: prompt, completion_tokens: completion, estimated_tokens: estimate } = call;
    return prompt === null && completion === null ? (estimate ?? 0) : (prompt ?? 0) + (completion ?? 0);
  }
  if (counted === "batchInputTokens") return call.prompt_tokens ?? call.estimated_tokens ?? 0;
  return 1;
}

/** Whether a call counts in a limit: it was let through, and belongs to a batch if the limit is for batches. */
export function countsIn(field: RateLimitField, { outcome, batch_id }: LoggedRequest): boolean {
  if (rateLimitTable[field].counts === "batchInputTokens" && batch_id === null) return false;
  return outcome !== "refused" && outcome !== "unsent";
}

/** The keys that used a limit, the largest first, as bars of their shares. Links show their calls between the times. */
export function sumByKey(
  field: RateLimitField,
  calls: readonly LoggedRequest[],
  between: { from: number; to: number },
): RankedBar[] {
  const counted = rateLimitTable[field].counts;
  const unit = counted === "tokens" || counted === "batchInputTokens" ? "tokens" : null;
  const sums = new Map<string, { first: LoggedRequest; calls: number; amount: number }>();
  for (const call of calls) {
    const sum = sums.get(call.key_id) ?? { first: call, calls: 0, amount: 0 };
    const amount = sum.amount + measure(field, call);
    sums.set(call.key_id, { ...sum, calls: sum.calls + 1, amount });
  }
  const total = [...sums.values()].reduce((all, { amount }) => all + amount, 0);
  return [...sums.values()]
    .toSorted((one, other) => other.amount - one.amount)
    .slice(0, SHOWN_KEYS)
    .map(({ first, calls: made, amount }) => ({
      id: first.key_id,
      label: first.key_name ?? first.key_id,
      text: [
        `${formatCount(made)} ${made === 1 ? "call" : "calls"}`,
        unit && `${formatCount(amount)} ${unit}`,
      ]
        .filter((part) => part !== null)
        .join(" · "),
      share: total === 0 ? 0 : amount / total,
      color: "1",
      href: paths.requests({
        project_id: first.project_id,
        model: first.model,
        api_key_id: first.key_id,
        from: String(between.from),
        to: String(between.to),
      }),
    }));
}
