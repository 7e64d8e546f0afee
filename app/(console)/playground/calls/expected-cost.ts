import type { Workbench } from "@/components/playground/workbench";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import type { UsageSummary } from "@/lib/contract/operations/usage/usage-summary";
import { type Nano, parseCheckedAmount } from "@/lib/money/amount";
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

/** Returns what a call is expected to cost; null for a model without prices by tokens. */
export function computeExpectedCost(
  model: OrganizationModel | undefined,
  promptTokens: number,
  completionTokens: number,
): Nano | null {
  if (!model?.price) return null;
  return computeCharge(
    { promptTokens, completionTokens },
    {
      inputPer1m: parseCheckedAmount(model.price.input_per_1m),
      outputPer1m: parseCheckedAmount(model.price.output_per_1m),
      rate: parseCheckedAmount(model.rate),
    },
  );
}
