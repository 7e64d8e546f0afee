import { newId } from "@/lib/contract/ids";
import { monthStartMs } from "../balance/calendar-month";
import { firedMessage } from "../balance/describe-firing";
import { SpendAlertBook } from "../balance/spend-alert-book";
import { SpendBook } from "../balance/spend-book";
import { readHeld, readSpent } from "../store/read-spent";
import type { StoreOptions, Stores } from "./open-stores";

/** Counts what the month has cost so far, and shows every further charge to the spend alerts. `isTold`: firings are sent on. */
export async function openSpending(
  { effects, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  { database, organization, spendLimits, spendAlerts }: Stores,
  isTold: boolean,
): Promise<{ spendBook: SpendBook; spendAlertBook: SpendAlertBook }> {
  const nowMs = effects.clock.nowMs();
  const spendAlertBook = new SpendAlertBook(async (kept, alert) => {
    const firing = { ...kept, id: newId("firing", kept.firedAtMs, effects.random) };
    const message = isTold ? JSON.stringify(firedMessage(firing, alert, organization.currency)) : null;
    try {
      await spendAlerts.insertFiring(firing, message);
    } catch (error) {
      logFault("spend alert", error);
      throw error;
    }
  });
  const spendBook = new SpendBook({
    limits: await spendLimits.list(),
    spent: await readSpent(database, monthStartMs(nowMs)),
    held: await readHeld(database),
    nowMs,
    onSpent: (scope, spent, atMs) => spendAlertBook.note(scope, spent, atMs),
  });
  const [alerts, firings] = [await spendAlerts.list(), await spendAlerts.listLastFirings()];
  for (const alert of alerts) {
    spendAlertBook.put(alert, firings.find(({ alertId }) => alertId === alert.id) ?? null);
    // A gateway that died may have stored a charge without the firing it caused.
    spendAlertBook.note(alert.scope, spendBook.spentBy(alert.scope, nowMs), nowMs);
  }
  return { spendBook, spendAlertBook };
}
