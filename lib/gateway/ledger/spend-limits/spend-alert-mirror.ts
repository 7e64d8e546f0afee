import { computeMonthStartMs } from "@/lib/contract/calendar-month";
import { NANO_PER_CENT, toNano } from "@/lib/money/amount";
import type { Mirror } from "../../changes/mirror";
import type { Scope } from "../../scope";
import type {
  SpendAlertFiring,
  SpendAlertFiringRecord,
  SpendAlertRecord,
  SpendAlertStore,
} from "./spend-alert-store";

interface Entry {
  readonly alert: SpendAlertRecord;
  lastFiring: SpendAlertFiring | null;
}

export type NewFiring = Omit<SpendAlertFiringRecord, "id">;

/** The spend alerts in memory. An alert fires once a month, when the month's charges reach its threshold. */
export class SpendAlertMirror {
  readonly #byScope = new Map<Scope, Map<string, Entry>>();
  /** What a scope's month must have cost until another alert fires, so that a charge does not look at every alert. */
  readonly #nextByScope = new Map<Scope, { readonly monthStartMs: number; readonly nano: bigint | null }>();

  /** @param keep stores a firing. If it fails, the next charge fires the alert again. */
  constructor(private readonly keep: (firing: NewFiring, alert: SpendAlertRecord) => Promise<void>) {}

  /** Oldest first. */
  list(scope: Scope): Entry[] {
    return [...(this.#byScope.get(scope)?.values() ?? [])];
  }

  find(scope: Scope, id: string): Entry | undefined {
    return this.#byScope.get(scope)?.get(id);
  }

  /** `spentBy` returns the cost of the month so far: an alert that is already reached fires at once. */
  following(
    store: Pick<SpendAlertStore, "list" | "find" | "lastFiring">,
    { spentBy, nowMs }: { spentBy: (scope: Scope, nowMs: number) => bigint; nowMs: () => number },
  ): Mirror {
    const follow = async (alert: SpendAlertRecord) => {
      const lastFiring = await store.lastFiring(alert);
      const scopeEntries = this.#byScope.get(alert.scope) ?? new Map<string, Entry>();
      scopeEntries.set(alert.id, { alert, lastFiring });
      this.#byScope.set(alert.scope, scopeEntries);
      this.#nextByScope.delete(alert.scope);
    };
    const note = (scope: Scope) => this.note(scope, spentBy(scope, nowMs()), nowMs());
    return {
      load: async () => {
        const alerts = await store.list();
        this.#byScope.clear();
        this.#nextByScope.clear();
        for (const alert of alerts) await follow(alert);
        for (const scope of this.#byScope.keys()) note(scope);
      },
      reread: {
        spend_alerts: async ({ id }) => {
          const alert = await store.find(id);
          if (alert) {
            await follow(alert);
            note(alert.scope);
          } else for (const scopeEntries of this.#byScope.values()) scopeEntries.delete(id);
        },
      },
    };
  }

  /** Fires the alerts that `spent` (nano-units) has reached in the month of `nowMs`. */
  note(scope: Scope, spent: bigint, nowMs: number): void {
    const monthStart = computeMonthStartMs(nowMs);
    const next = this.#nextByScope.get(scope);
    if (next?.monthStartMs === monthStart && (next.nano === null || spent < next.nano)) return;
    let nano: bigint | null = null;
    for (const entry of this.#byScope.get(scope)?.values() ?? []) {
      if (entry.lastFiring && entry.lastFiring.monthStartMs >= monthStart) continue;
      const threshold = BigInt(entry.alert.thresholdCents) * NANO_PER_CENT;
      if (spent >= threshold) this.#fire(entry, { spent, monthStart, nowMs });
      else if (nano === null || threshold < nano) nano = threshold;
    }
    this.#nextByScope.set(scope, { monthStartMs: monthStart, nano });
  }

  #fire(entry: Entry, { spent, monthStart, nowMs }: { spent: bigint; monthStart: number; nowMs: number }) {
    const { alert, lastFiring } = entry;
    const { id: alertId, thresholdCents, scope } = alert;
    const firing = { alertId, thresholdCents, monthStartMs: monthStart, firedAtMs: nowMs };
    entry.lastFiring = firing;
    this.keep({ ...firing, scope, spent: toNano(spent) }, alert).catch(() => {
      entry.lastFiring = lastFiring;
      this.#nextByScope.delete(scope);
    });
  }
}
