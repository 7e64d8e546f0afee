import { readTokenPrices } from "@/components/models/model-reads";
import type { Workbench } from "@/components/playground/workbench";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import type { Nano } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";

type Groups = UsageSummary["groups"];

/**
 * Returns how many tokens a model's answer usually has: as in this conversation, else as in the person's calls to it;
 * null if there were none.
 */
export function findUsualAnswer({ panes }: Workbench, model: string, groups: Groups): number | null {
  const here = panes
    .flatMap(({ messages }) => messages)
    .flatMap(({ call }) => (call?.model === model && call.usage ? call.usage.completionTokens : []));
  if (here.length > 0) return Math.round(here.reduce((sum, tokens) => sum + tokens, 0) / here.length);
  const totals = groups.find(({ id }) => id === model)?.totals;
  if (!totals || totals.requests === 0) return null;
  return Math.round(totals.completion_tokens / totals.requests);
}

/** Returns which part of the prompts of the person's calls to a model was read from a cache: 0 to 1. */
export function findCachedShare(model: string, groups: Groups): number {
  const totals = groups.find(({ id }) => id === model)?.totals;
  return totals && totals.prompt_tokens > 0 ? totals.cached_tokens / totals.prompt_tokens : 0;
}

interface ExpectedCall {
  readonly promptTokens: number;
  /** As many as such answers usually have. */
  readonly completionTokens: number;
  /** The longest answer that the call allows; null for the model's own. */
  readonly maxTokens: number | null;
  readonly cachedShare: number;
}

/** Returns what a call is expected to cost, by classes of tokens; null for a model without prices by tokens. */
export function computeExpectedCost(
  model: OrganizationModel | undefined,
  { promptTokens, completionTokens, maxTokens, cachedShare }: ExpectedCall,
): Nano | null {
  const prices = model && readTokenPrices(model);
  if (!prices) return null;
  const usage = {
    promptTokens,
    completionTokens: Math.min(completionTokens, maxTokens ?? completionTokens),
    cachedTokens: Math.round(promptTokens * cachedShare),
  };
  return computeCharge(usage, prices);
}
