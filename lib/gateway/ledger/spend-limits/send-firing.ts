import { type ChangeContext, type ChangeRequest, change } from "../../changes/change";
import type { Effects } from "../../effects";
import { conflict, notFound } from "../../refusal";
import { writeFiringMessage } from "./describe-firing";
import type { FiringWithCallback, SpendAlertFiringReader } from "./spend-alert-firing-reader";
import type { SpendAlertMirror } from "./spend-alert-mirror";
import type { SpendAlertStore } from "./spend-alert-store";

export interface SendFiringContext extends ChangeContext {
  readonly firings: SpendAlertFiringReader;
  readonly spendAlerts: SpendAlertStore;
  readonly spendAlertMirror: SpendAlertMirror;
  readonly organization: { readonly currency: string };
  readonly effects: Effects;
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
  const { firings, spendAlerts, spendAlertMirror, organization, effects, hasAlertTarget } = context;
  const firing = await firings.find(id);
  const alert = firing && spendAlertMirror.find(firing.scope, firing.alertId)?.alert;
  if (!firing || !alert) throw notFound("firing", id, "firing_id");
  if (!hasAlertTarget) {
    const message = "There is no URL for alerts. Set GATEHOUSE_ALERT_URL and restart the gateway.";
    throw conflict("firing_id", message, "no_alert_url");
  }
  const message = JSON.stringify(writeFiringMessage(firing, alert, organization.currency));
  await change(context, request, (transaction) =>
    spendAlerts.saveMessage(transaction, id, message, effects.clock.nowMs()),
  );
  return (await firings.find(id)) ?? firing;
}
