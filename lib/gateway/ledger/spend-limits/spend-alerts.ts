import { computeMonthStartMs, formatMonth } from "@/lib/contract/calendar-month";
import { newId } from "@/lib/contract/ids";
import type {
  SpendAlertFiring as FiringAnswer,
  SpendAlertFiredMessage,
} from "@/lib/contract/operations/money/spend-alert-firings";
import type { SpendAlertDraft } from "@/lib/contract/operations/money/spend-alerts";
import { formatAmount, NANO_PER_CENT, toNano } from "@/lib/money/amount";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { TableCache } from "../../changes/table-cache";
import { type ClockAndRandom, toUnixSeconds } from "../../clock";
import { conflict, notFound } from "../../refusal";
import type { Scope } from "../../scope";
import type {
  FiringWithCallback,
  SpendAlertFiring,
  SpendAlertFiringReader,
  SpendAlertFiringRecord,
  SpendAlertRecord,
  SpendAlertStore,
} from "./spend-alert-store.sql";
import { refuseOtherCurrency } from "./spend-limits";

export interface SpendAlertContext extends ChangeContext {
  readonly spendAlerts: SpendAlertStore;
  readonly spendAlertCache: SpendAlertCache;
  readonly organization: { readonly currency: string };
  readonly runtime: ClockAndRandom;
}

/**
 * Creates an alert, or replaces the one with this id. It fires at once if the month has already reached it.
 * @throws Refusal 404; 400 for a currency other than the organization's.
 */
export function saveSpendAlert(
  context: SpendAlertContext,
  request: ChangeRequest,
  scope: Scope,
  id: string | null,
  { currency, threshold_amount, notification_channel }: SpendAlertDraft,
): Promise<SpendAlertRecord> {
  const { spendAlerts, spendAlertCache, organization, runtime } = context;
  return change(context, request, async (transaction) => {
    refuseOtherCurrency(currency, organization.currency);
    const nowMs = runtime.clock.nowMs();
    const alertBefore = id === null ? null : findSpendAlert(spendAlertCache, scope, id).alert;
    const alert: SpendAlertRecord = {
      id: alertBefore?.id ?? newId("alert", nowMs, runtime.random),
      scope,
      thresholdCents: threshold_amount,
      recipients: notification_channel.recipients,
      subjectPrefix: notification_channel.subject_prefix ?? null,
      createdAtMs: alertBefore?.createdAtMs ?? nowMs,
    };
    await spendAlerts.save(transaction, alert);
    return alert;
  });
}

/** Removes an alert. @throws Refusal 404. */
export function deleteSpendAlert(
  context: SpendAlertContext,
  request: ChangeRequest,
  scope: Scope,
  id: string,
): Promise<void> {
  return change(context, request, async (transaction) => {
    findSpendAlert(context.spendAlertCache, scope, id);
    await context.spendAlerts.delete(transaction, id);
  });
}

/** @throws Refusal 404 when the project, or the organization, has no such alert. */
export function findSpendAlert(cache: SpendAlertCache, scope: Scope, id: string) {
  const entry = cache.find(scope, id);
  if (!entry) throw notFound("spend alert", id, "alert_id");
  return entry;
}

interface Entry {
  readonly alert: SpendAlertRecord;
  lastFiring: SpendAlertFiring | null;
}

export type NewFiring = Omit<SpendAlertFiringRecord, "id">;

/** The spend alerts in memory. An alert fires once a month, when the month's charges reach its threshold. */
export class SpendAlertCache {
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
  ): TableCache {
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

/** A firing in the form of the API and the callback. */
export function describeFiring(
  firing: SpendAlertFiringRecord,
  currency: string,
): Omit<FiringAnswer, "callback"> {
  return {
    object: "spend_alert.firing",
    id: firing.id,
    alert_id: firing.alertId,
    project_id: firing.scope,
    interval: "month",
    month: formatMonth(firing.monthStartMs),
    threshold: formatAmount(toNano(BigInt(firing.thresholdCents) * NANO_PER_CENT)),
    spent: formatAmount(firing.spent),
    currency,
    fired_at: toUnixSeconds(firing.firedAtMs),
  };
}

/** The callback's body. */
export function writeFiringMessage(
  firing: SpendAlertFiringRecord,
  { recipients, subjectPrefix }: SpendAlertRecord,
  currency: string,
): SpendAlertFiredMessage {
  return {
    type: "spend_alert.fired",
    timestamp: new Date(firing.firedAtMs).toISOString(),
    data: {
      ...describeFiring(firing, currency),
      notification_channel: { type: "email", recipients: [...recipients], subject_prefix: subjectPrefix },
    },
  };
}

export interface SendFiringContext extends ChangeContext {
  readonly firings: SpendAlertFiringReader;
  readonly spendAlerts: SpendAlertStore;
  readonly spendAlertCache: SpendAlertCache;
  readonly organization: { readonly currency: string };
  readonly runtime: ClockAndRandom;
  /** Whether a callback address is configured. */
  readonly hasAlertTarget: boolean;
}

/**
 * Sends a firing's callback again from the first try, delivered before or not.
 * @throws Refusal 404; 409 if no callback address is configured.
 */
export async function sendFiring(
  context: SendFiringContext,
  request: ChangeRequest,
  id: string,
): Promise<FiringWithCallback> {
  const { firings, spendAlerts, spendAlertCache, organization, runtime, hasAlertTarget } = context;
  const firing = await firings.find(id);
  const alert = firing && spendAlertCache.find(firing.scope, firing.alertId)?.alert;
  if (!firing || !alert) throw notFound("firing", id, "firing_id");
  if (!hasAlertTarget) {
    const message = "There is no URL for alerts. Set GATEHOUSE_ALERT_URL and restart the gateway.";
    throw conflict("firing_id", message, "no_alert_url");
  }
  const message = JSON.stringify(writeFiringMessage(firing, alert, organization.currency));
  await change(context, request, (transaction) =>
    spendAlerts.saveMessage(transaction, id, message, runtime.clock.nowMs()),
  );
  return (await firings.find(id)) ?? firing;
}
