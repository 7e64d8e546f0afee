import { toNano } from "@/lib/money/amount";
import { monthStartMs } from "./calendar-month";
import type { SpendAlertFiring, SpendAlertFiringRecord, SpendAlertRecord } from "./spend-alert-store";
import type { SpendScope } from "./spend-book";

export const NANO_PER_CENT = 10_000_000n;

interface Entry {
  readonly alert: SpendAlertRecord;
  lastFiring: SpendAlertFiring | null;
}

export type NewFiring = Omit<SpendAlertFiringRecord, "id">;

/**
 * The alerts in memory, which see every charge: one whose threshold the month's charges have reached fires, once a month.
 * Mirrors the spend alert store.
 */
export class SpendAlertBook {
  readonly #byScope = new Map<SpendScope, Map<string, Entry>>();

  /** @param keep makes a firing durable; where it fails, the next charge fires again. */
  constructor(private readonly keep: (firing: NewFiring, alert: SpendAlertRecord) => Promise<void>) {}

  /** Oldest first. */
  list(scope: SpendScope): Entry[] {
    return [...(this.#byScope.get(scope)?.values() ?? [])];
  }

  find(scope: SpendScope, id: string): Entry | undefined {
    return this.#byScope.get(scope)?.get(id);
  }

  put(alert: SpendAlertRecord, lastFiring: SpendAlertFiring | null): void {
    const ofScope = this.#byScope.get(alert.scope) ?? new Map<string, Entry>();
    ofScope.set(alert.id, { alert, lastFiring });
    this.#byScope.set(alert.scope, ofScope);
  }

  remove({ scope, id }: SpendAlertRecord): void {
    this.#byScope.get(scope)?.delete(id);
  }

  /** Fires what `spent`, in nano-units, has reached in the month of `nowMs`. */
  note(scope: SpendScope, spent: bigint, nowMs: number): void {
    for (const entry of this.#byScope.get(scope)?.values() ?? []) {
      const { alert, lastFiring } = entry;
      if (spent < BigInt(alert.thresholdCents) * NANO_PER_CENT) continue;
      const monthStart = monthStartMs(nowMs);
      if (lastFiring && lastFiring.monthStartMs >= monthStart) continue;
      const { id: alertId, thresholdCents } = alert;
      const firing = { alertId, thresholdCents, monthStartMs: monthStart, firedAtMs: nowMs };
      entry.lastFiring = firing;
      this.keep({ ...firing, scope, spent: toNano(spent) }, alert).catch(() => {
        entry.lastFiring = lastFiring;
      });
    }
  }
}
