import type { SpendLimitDraft } from "@/lib/contract/operations/money/spend-limits";
import { NANO_PER_CENT, type Nano, toNano } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Effects } from "../../effects";
import { Refusal } from "../../refusal";
import type { Scope } from "../../scope";
import { refuseOtherCurrency } from "../refuse-other-currency";
import type { SpendLimitStore } from "./spend-limit-store";
import type { SpendTracker } from "./spend-tracker";

export interface SpendLimitContext extends ChangeContext {
  readonly spendLimits: SpendLimitStore;
  /** The limits in force. The remaining amounts aren't needed here; only admission reads them. */
  readonly spendTracker: Pick<SpendTracker, "find">;
  readonly organization: { readonly currency: string };
  readonly effects: Effects;
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
  const { spendLimits, organization, effects } = context;
  return change(context, request, async (transaction) => {
    refuseOtherCurrency(draft.currency, organization.currency);
    const limit = toNano(BigInt(draft.threshold_amount) * NANO_PER_CENT);
    await spendLimits.save(transaction, { scope, limit }, effects.clock.nowMs());
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
  { spendTracker, effects }: Pick<SpendLimitContext, "spendTracker" | "effects">,
  scope: Scope,
): { limit: Nano; isRefusing: boolean } {
  const account = spendTracker.find(scope, effects.clock.nowMs());
  if (account) return account;
  const subject = scope === null ? "The organization" : `The project "${scope}"`;
  const details = scope === null ? {} : { param: "project_id" };
  throw new Refusal(404, "not_found_error", "object_not_found", `${subject} has no spend limit.`, details);
}
