import type { RankedBar } from "@/components/ui/chart/ranked-bars";
import { describeUnits } from "@/components/ui/values/describe-units";
import { formatCount } from "@/components/ui/values/group-digits";
import { paths } from "@/lib/console/paths";
import { type Measure, type RateLimitField, rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";

/** How much of a limit was used in all, from a time on. */
export interface UsagePoint {
  /** Unix seconds. */
  readonly at: number;
  readonly used: number;
}

/**
 * Adds up what calls used of a limit, oldest first: a point for each second in which some began. Null if the log
 * doesn't tell it of every call.
 */
export function accumulateUsage(field: RateLimitField, calls: readonly LoggedRequest[]): UsagePoint[] | null {
  const bySecond = new Map<number, number>();
  for (const call of calls) {
    const amount = measure(field, call);
    if (amount === null) return null;
    bySecond.set(call.created_at, (bySecond.get(call.created_at) ?? 0) + amount);
  }
  let used = 0;
  return [...bySecond]
    .toSorted(([one], [other]) => one - other)
    .map(([at, more]) => {
      used += more;
      return { at, used };
    });
}

const SHOWN_KEYS = 5;

/**
 * What a limit counts of a call: its tokens, its images, or the call itself; null for what the log doesn't tell. Of
 * images it has those that were made, not those that were sent in a chat.
 */
function measure(field: RateLimitField, call: LoggedRequest): number | null {
  const { prompt_tokens: prompt, completion_tokens: completion, estimated_tokens: estimate } = call;
  const counted: Measure = rateLimitTable[field].counts;
  switch (counted) {
    case "requests":
      return 1;
    case "tokens":
      return prompt === null && completion === null ? (estimate ?? 0) : (prompt ?? 0) + (completion ?? 0);
    case "batchInputTokens":
      return prompt ?? estimate ?? 0;
    case "images":
      return call.unit === "image" && call.units !== null ? Number(call.units) : null;
    case "audioMegabytes":
      return null;
  }
}

/** Whether a call counts in a limit: it was let through, and belongs to a batch if the limit is for batches. */
export function countsIn(field: RateLimitField, { outcome, batch_id }: LoggedRequest): boolean {
  if (rateLimitTable[field].counts === "batchInputTokens" && batch_id === null) return false;
  return outcome !== "refused" && outcome !== "unsent";
}

/**
 * The keys that used a limit, the largest first, as bars of their shares: of what the limit counts, or of the calls if
 * the log doesn't tell that of every call. Links show their calls between the times.
 */
export function sumByKey(
  field: RateLimitField,
  calls: readonly LoggedRequest[],
  between: { from: number; to: number },
): RankedBar[] {
  const isMeasured = calls.every((call) => measure(field, call) !== null);
  const { counts, words } = rateLimitTable[field];
  const unit = isMeasured && counts !== "requests" ? words.unit.replace(/s$/, "") : null;
  const sums = new Map<string, { first: LoggedRequest; calls: number; amount: number }>();
  for (const call of calls) {
    const sum = sums.get(call.key_id) ?? { first: call, calls: 0, amount: 0 };
    const amount = sum.amount + (isMeasured ? (measure(field, call) ?? 0) : 1);
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
        unit && describeUnits(String(amount), unit),
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
