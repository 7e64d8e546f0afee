import type { Nano } from "@/lib/money/amount";
import type { Mirror } from "../../changes/mirror";
import type { Clock } from "../../effects";
import type { Scope } from "../../scope";
import type { SpendLimitStore } from "./spend-limit-store";
import type { SpendTracker } from "./spend-tracker";

/** Mirrors the stored spend limits in memory. The amounts spent stay counted. */
export function followSpendLimits(
  spendTracker: SpendTracker,
  store: Pick<SpendLimitStore, "list" | "find">,
  clock: Clock,
): Mirror {
  const limited = new Set<Scope>();
  const setLimit = (scope: Scope, limit: Nano | null) => {
    if (limit === null) limited.delete(scope);
    else limited.add(scope);
    // Setting a limit to the same value must not reset whether it is refusing calls.
    if ((spendTracker.find(scope, clock.nowMs())?.limit ?? null) !== limit)
      spendTracker.setLimit(scope, limit);
  };
  return {
    load: async () => {
      const records = await store.list();
      for (const scope of limited) if (!records.some((limit) => limit.scope === scope)) setLimit(scope, null);
      for (const { scope, limit } of records) setLimit(scope, limit);
    },
    reread: {
      spend_limits: async ({ projectId }) => setLimit(projectId, await store.find(projectId)),
    },
  };
}
