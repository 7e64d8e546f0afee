import { computeMonthEndMs, computeMonthStartMs } from "@/lib/contract/calendar-month";
import { newId } from "@/lib/contract/ids";
import { type Changes, systemChange } from "../../changes/change";
import { SpendAlertCache, writeFiringMessage } from "../../ledger/spend-limits/spend-alerts";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import type { StoreOptions } from "../gateway-options";
import type { Stores } from "../open-stores";

interface SpendingOptions extends Pick<StoreOptions, "runtime" | "logFault"> {
  /** Whether a callback address for spend alerts is configured. */
  readonly hasAlertTarget: boolean;
}

/** Counts the cost of the month so far, and passes every later charge to the spend alerts. */
export async function openSpending(
  { runtime, logFault, hasAlertTarget }: SpendingOptions,
  { past, organization, spendAlerts }: Pick<Stores, "past" | "organization" | "spendAlerts">,
  changes: () => Changes,
): Promise<{ spendTracker: SpendTracker; spendAlertCache: SpendAlertCache }> {
  const nowMs = runtime.clock.nowMs();
  const spendAlertCache = new SpendAlertCache(async (newFiring, alert) => {
    const firing = { ...newFiring, id: newId("firing", newFiring.firedAtMs, runtime.random) };
    const message = hasAlertTarget
      ? JSON.stringify(writeFiringMessage(firing, alert, organization.currency))
      : null;
    try {
      await systemChange({ changes: changes() }, "spend alert firing", (transaction) =>
        spendAlerts.insertFiring(transaction, firing, message),
      );
    } catch (error) {
      logFault("spend alert", error);
      throw error;
    }
  });
  const readMonth = async (atMs: number) => {
    const startMs = computeMonthStartMs(atMs);
    return { startMs, spent: await past.spent(startMs, computeMonthEndMs(atMs)) };
  };
  const month = await readMonth(nowMs);
  const lastMs = (await past.lastEntryMs()) ?? nowMs;
  const hasOther = computeMonthStartMs(lastMs) !== month.startMs;
  const spendTracker = new SpendTracker({
    limits: [],
    spent: month.spent,
    // The month to return to if the clock is wrong at the start.
    leftMonths: hasOther ? [await readMonth(lastMs)] : [],
    held: await past.held(),
    nowMs,
    alerts: spendAlertCache,
  });
  return { spendTracker, spendAlertCache };
}
