import { formatAmount } from "@/lib/money/amount";
import { toUnixSeconds } from "../../clock";
import type { Reconciler } from "../../ledger/reconciliation";
import type { UnaccountedCostStore } from "../../ledger/unaccounted/unaccounted-cost-store.sql";
import type { UnaccountedCosts } from "../../ledger/unaccounted/unaccounted-costs";
import type { Handlers } from "../handler";

export function reconciliationRoutes({
  reconciler,
  organization: { currency },
}: {
  readonly reconciler: Reconciler;
  readonly organization: { readonly currency: string };
}): Handlers<"retrieveReconciliation"> {
  return {
    retrieveReconciliation: async ({ query: { full } }) => {
      const proof = await reconciler.prove(full ?? false);
      const common = {
        object: "reconciliation" as const,
        started_at: toUnixSeconds(proof.startedAtMs),
        currency,
        entries: proof.entries,
      };
      if ("verified" in proof) {
        return {
          ...common,
          state: "running",
          took_ms: null,
          verified_entries: proof.verified,
          verified_before: 0,
          checks: [],
          charged: [],
          provider_variance: null,
        };
      }
      return {
        ...common,
        state: "done",
        took_ms: proof.tookMs,
        verified_entries: proof.entries,
        verified_before: proof.entriesBefore,
        checks: proof.checks.map(({ checked: checkedRows, faults, ...check }) => ({
          ...check,
          looked: checkedRows,
          faults: [...faults],
        })),
        charged: proof.charged.map(({ basis, calls, amount }) => ({
          basis,
          calls,
          amount: formatAmount(amount),
        })),
        provider_variance: formatAmount(proof.variance),
      };
    },
  };
}

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
