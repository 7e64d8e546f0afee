import type { UsageOrder } from "@/lib/contract/operations/usage/usage-summary";
import type { UsageSum, UsageTally } from "./usage-tally";

const MAX_GROUPS = 8;

const readSize: Record<UsageOrder, (sum: UsageSum) => bigint> = {
  amount: ({ amount }) => amount,
  requests: ({ requests }) => BigInt(requests),
  tokens: ({ promptTokens, completionTokens }) => BigInt(promptTokens + completionTokens),
  failures: ({ errors, refusals }) => BigInt(errors + refusals),
};

/** The largest groups in order, and all others combined. A single other group is listed by itself. */
export function rankGroups<Id>(tallies: ReadonlyMap<Id, UsageTally>, order: UsageOrder) {
  const size = readSize[order];
  const rankedGroups = [...tallies].toSorted(([one, { sum: oneSum }], [other, { sum: otherSum }]) => {
    const [first, second] = [size(oneSum), size(otherSum)];
    return first === second ? (String(one) < String(other) ? -1 : 1) : first > second ? -1 : 1;
  });
  const shownCount = rankedGroups.length <= MAX_GROUPS + 1 ? rankedGroups.length : MAX_GROUPS;
  const otherGroups = rankedGroups.slice(shownCount);
  return { largest: rankedGroups.slice(0, shownCount), others: new Map(otherGroups) };
}
