import { formatAmount } from "@/lib/money/amount";
import type { Reconciler } from "../../balance/ledger/reconciliation";
import type { Handlers } from "../handler";
import { toUnixSeconds } from "../unix-seconds";

export function reconciliationRoutes({
  reconciler,
  organization: { currency },
}: {
  readonly reconciler: Reconciler;
  readonly organization: { readonly currency: string };
}): Handlers<"retrieveReconciliation"> {
  return {
    retrieveReconciliation: async ({ query: { full } }) => {
      const found = await reconciler.prove(full ?? false);
      const common = {
        object: "reconciliation" as const,
        started_at: toUnixSeconds(found.startedAtMs),
        currency,
        entries: found.entries,
      };
      if ("verified" in found) {
        return {
          ...common,
          state: "running",
          took_ms: null,
          verified_entries: found.verified,
          verified_before: 0,
          checks: [],
          charged: [],
          provider_variance: null,
        };
      }
      return {
        ...common,
        state: "done",
        took_ms: found.tookMs,
        verified_entries: found.entries,
        verified_before: found.entriesBefore,
        checks: found.checks.map(({ checked: looked, faults, ...check }) => ({
          ...check,
          looked,
          faults: [...faults],
        })),
        charged: found.charged.map(({ basis, calls, amount }) => ({
          basis,
          calls,
          amount: formatAmount(amount),
        })),
        provider_variance: formatAmount(found.variance),
      };
    },
  };
}
