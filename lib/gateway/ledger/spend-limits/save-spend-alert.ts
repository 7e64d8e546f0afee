import { newId } from "@/lib/contract/ids";
import type { SpendAlertDraft } from "@/lib/contract/operations/money/spend-alerts";
import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Effects } from "../../effects";
import { notFound } from "../../refusal";
import type { Scope } from "../../scope";
import { refuseOtherCurrency } from "../refuse-other-currency";
import type { SpendAlertMirror } from "./spend-alert-mirror";
import type { SpendAlertRecord, SpendAlertStore } from "./spend-alert-store";

export interface SpendAlertContext extends ChangeContext {
  readonly spendAlerts: SpendAlertStore;
  readonly spendAlertMirror: SpendAlertMirror;
  readonly organization: { readonly currency: string };
  readonly effects: Effects;
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
  const { spendAlerts, spendAlertMirror, organization, effects } = context;
  return change(context, request, async (transaction) => {
    refuseOtherCurrency(currency, organization.currency);
    const nowMs = effects.clock.nowMs();
    const alertBefore = id === null ? null : findSpendAlert(spendAlertMirror, scope, id).alert;
    const alert: SpendAlertRecord = {
      id: alertBefore?.id ?? newId("alert", nowMs, effects.random),
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
    findSpendAlert(context.spendAlertMirror, scope, id);
    await context.spendAlerts.delete(transaction, id);
  });
}

/** @throws Refusal 404 when the project, or the organization, has no such alert. */
export function findSpendAlert(mirror: SpendAlertMirror, scope: Scope, id: string) {
  const entry = mirror.find(scope, id);
  if (!entry) throw notFound("spend alert", id, "alert_id");
  return entry;
}
