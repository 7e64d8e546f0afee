import { formatAmount } from "@/lib/money/amount";
import type { UnaccountedCostStore } from "../../ledger/unaccounted/unaccounted-cost-store.sql";
import type { UnaccountedCosts } from "../../ledger/unaccounted/unaccounted-costs";
import type { Handlers } from "../handler";

export function unaccountedCostRoutes({
  unaccountedCosts,
  unaccountedCostStore,
  organization: { currency },
}: {
  readonly unaccountedCosts: Pick<UnaccountedCosts, "flush">;
  readonly unaccountedCostStore: UnaccountedCostStore;
  readonly organization: { readonly currency: string };
}): Handlers<"retrieveUnaccountedCosts"> {
  return {
    retrieveUnaccountedCosts: async ({ query: { month } }) => {
      await unaccountedCosts.flush();
      const [year = 0, number = 1] = month.split("-").map(Number);
      const rows = await unaccountedCostStore.sum(Date.UTC(year, number - 1), Date.UTC(year, number));
      return {
        object: "organization.unaccounted_costs",
        month,
        currency,
        data: rows.map(({ providerModel, promptTokens, amount, ...row }) => ({
          ...row,
          provider_model: providerModel,
          prompt_tokens: promptTokens,
          amount: formatAmount(amount),
        })),
      };
    },
  };
}
