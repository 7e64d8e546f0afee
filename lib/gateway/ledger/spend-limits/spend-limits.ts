import type { SpendLimitDraft } from "@/lib/contract/operations/money/spend-limits";
import { NANO_PER_CENT, type Nano, toNano } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { TableCache } from "../../changes/table-cache";
import type { Clock, ClockAndRandom } from "../../clock";
import { invalid, Refusal } from "../../refusal";
import type { Scope } from "../../scope";
import type { SpendLimitStore } from "./spend-alert-store.sql";
import type { SpendTracker } from "./spend-tracker";

/** @throws Refusal 400 for another currency than the organization's. */
export function refuseOtherCurrency(currency: string, ownCurrency: string): void {
  if (currency !== ownCurrency)
    throw invalid("currency", `currency must be ${ownCurrency}, the organization's.`);
}

export interface SpendLimitContext extends ChangeContext {
  readonly spendLimits: SpendLimitStore;
  /** The limits in force. The remaining amounts aren't needed here; only admission reads them. */
  readonly spendTracker: Pick<SpendTracker, "find">;
  readonly organization: { readonly currency: string };
  readonly runtime: ClockAndRandom;
}

/**
 * Limits the cost of a month, from the next call on.
 * @throws Refusal 400 for a currency other than the organization's.
 */
export function saveSpendLimit(
  context: SpendLimitContext,
  request: ChangeRequest,
  scope: Scope,
  draft: SpendLimitDraft,
): Promise<void> {
  const { spendLimits, organization, runtime } = context;
  return change(context, request, async (transaction) => {
    refuseOtherCurrency(draft.currency, organization.currency);
    const limit = toNano(BigInt(draft.threshold_amount) * NANO_PER_CENT);
    await spendLimits.save(transaction, { scope, limit }, runtime.clock.nowMs());
  });
}

/** Removes the limit. @throws Refusal 404 if there is none. */
export function deleteSpendLimit(
  context: SpendLimitContext,
  request: ChangeRequest,
  scope: Scope,
): Promise<void> {
  return change(context, request, async (transaction) => {
    findSpendLimit(context, scope);
    await context.spendLimits.delete(transaction, scope);
  });
}

/** @throws Refusal 404 if there is no limit. */
export function findSpendLimit(
  { spendTracker, runtime }: Pick<SpendLimitContext, "spendTracker" | "runtime">,
  scope: Scope,
): { limit: Nano; isRefusing: boolean } {
  const account = spendTracker.find(scope, runtime.clock.nowMs());
  if (account) return account;
  const subject = scope === null ? "The organization" : `The project "${scope}"`;
  const details = scope === null ? {} : { param: "project_id" };
  throw new Refusal(404, "not_found_error", "object_not_found", `${subject} has no spend limit.`, details);
}

/** Caches the stored spend limits in memory. The amounts spent stay counted. */
export function followSpendLimits(
  spendTracker: SpendTracker,
  store: Pick<SpendLimitStore, "list" | "find">,
  clock: Clock,
): TableCache {
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
