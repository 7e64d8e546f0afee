import { formatAmount } from "@/lib/money/amount";
import type { Reconciler } from "../../ledger/reconciliation";
import { toUnixSeconds } from "../../unix-seconds";
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
