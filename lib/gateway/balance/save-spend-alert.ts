import { newId } from "@/lib/contract/ids";
import type { SpendAlertDraft } from "@/lib/contract/operations/spend-alerts";
import type { Effects } from "../ports/effects";
import { notFound } from "../ports/refusal";
import type { SpendAlertBook } from "./spend-alert-book";
import type { SpendAlertRecord, SpendAlertStore } from "./spend-alert-store";
import type { SpendBook, SpendScope } from "./spend-book";

export interface SpendAlertContext {
  readonly spendAlerts: SpendAlertStore;
  readonly spendAlertBook: SpendAlertBook;
  readonly spendBook: SpendBook;
  readonly effects: Effects;
}

/** Sets a new alert, or with an id replaces that one; it fires at once where the month has reached it. @throws Refusal 404. */
export async function saveSpendAlert(
  { spendAlerts, spendAlertBook, spendBook, effects }: SpendAlertContext,
  scope: SpendScope,
  id: string | null,
  { threshold_amount, notification_channel }: SpendAlertDraft,
): Promise<SpendAlertRecord> {
  const nowMs = effects.clock.nowMs();
  const before = id === null ? null : findSpendAlert(spendAlertBook, scope, id).alert;
  const alert: SpendAlertRecord = {
    id: before?.id ?? newId("alert", nowMs, effects.random),
    scope,
    thresholdCents: threshold_amount,
    recipients: notification_channel.recipients,
    subjectPrefix: notification_channel.subject_prefix ?? null,
    createdAtMs: before?.createdAtMs ?? nowMs,
  };
  await spendAlerts.save(alert);
  spendAlertBook.put(alert, await spendAlerts.lastFiring(alert));
  spendAlertBook.note(scope, spendBook.spentBy(scope, nowMs), nowMs);
  return alert;
}

/** Removes an alert. @throws Refusal 404. */
export async function deleteSpendAlert(
  { spendAlerts, spendAlertBook }: SpendAlertContext,
  scope: SpendScope,
  id: string,
): Promise<void> {
  const { alert } = findSpendAlert(spendAlertBook, scope, id);
  await spendAlerts.delete(id);
  spendAlertBook.remove(alert);
}

/** @throws Refusal 404 when the project, or the organization, has no such alert. */
export function findSpendAlert(book: SpendAlertBook, scope: SpendScope, id: string) {
  const entry = book.find(scope, id);
  if (!entry) throw notFound("spend alert", id, "alert_id");
  return entry;
}
