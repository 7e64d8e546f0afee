import type { Nano } from "@/lib/money/amount";
import type { Mirror } from "../changes/mirror";
import type { Clock } from "../effects";
import type { SpendBook, SpendScope } from "./spend-book";
import type { SpendLimitStore } from "./spend-limit-store";

/** Lets the limits on what a month may cost follow those that are stored; what was spent stays counted. */
export function followSpendLimits(
  spendBook: SpendBook,
  store: Pick<SpendLimitStore, "list" | "find">,
  clock: Clock,
): Mirror {
  const limited = new Set<SpendScope>();
  const put = (scope: SpendScope, limit: Nano | null) => {
    if (limit === null) limited.delete(scope);
    else limited.add(scope);
    // One that stays as it is goes on refusing.
    if ((spendBook.find(scope, clock.nowMs())?.limit ?? null) !== limit) spendBook.put(scope, limit);
  };
  return {
    load: async () => {
      const saved = await store.list();
      for (const scope of limited) if (!saved.some((limit) => limit.scope === scope)) put(scope, null);
      for (const { scope, limit } of saved) put(scope, limit);
    },
    reread: {
      spend_limits: async ({ projectId }) => put(projectId, await store.find(projectId)),
    },
  };
}
