import { type Changes, partsOf } from "../../changes/change";
import { reread } from "../../changes/feed";
import { readsOf, type Transaction, toTouched } from "../../changes/transactions.sql";
import type { ClockAndRandom } from "../../clock";
import { SpendAlertCache } from "../../ledger/spend-limits/spend-alerts";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { createStores } from "../create-stores";
import { copySettings, followSpending, type SettingsOptions } from "./copy-settings";

/** What a stage shares with the gateway that it is opened in. */
interface StageOptions extends SettingsOptions {
  readonly changes: Changes;
  readonly runtime: ClockAndRandom;
  readonly secret: Uint8Array;
}

/**
 * Opens a stage in a unit of work: stores and copies of what is set that see what it has written so far, so that
 * the verbs can make one change after another in it, each judged by those before it. Calls see none of it until it is
 * committed.
 */
export async function openStage(options: StageOptions, transaction: Transaction) {
  const { clock, random } = options.runtime;
  const stores = createStores(readsOf(transaction), { key: options.secret, random });
  const { copies, accessFollowers, followers } = copySettings(options, stores);
  // No charge is counted here, and no alert fires: that is the gateway's own once the unit of work is committed.
  const spending = {
    spendTracker: new SpendTracker({ limits: [], spent: [], nowMs: clock.nowMs() }),
    spendAlertCache: new SpendAlertCache(async () => {}),
  };
  const caches = [...accessFollowers, ...followers, ...followSpending(spending, stores, clock)];
  for (const cache of caches) await cache.load();
  const changes = partsOf(options.changes, transaction, async (rows) => {
    const touched = rows.map(toTouched);
    for (const cache of caches) await reread(cache, touched);
  });
  return { ...stores, ...copies, ...spending, changes };
}
