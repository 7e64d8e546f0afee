import { formatMonth } from "@/lib/contract/calendar-month";
import type {
  SpendAlertFiredMessage,
  SpendAlertFiring,
} from "@/lib/contract/operations/money/spend-alert-firings";
import { formatAmount, NANO_PER_CENT, toNano } from "@/lib/money/amount";
import { toUnixSeconds } from "../../unix-seconds";
import type { SpendAlertFiringRecord, SpendAlertRecord } from "./spend-alert-store";

/** A firing in the form of the API and the callback. */
export function describeFiring(
  firing: SpendAlertFiringRecord,
  currency: string,
): Omit<SpendAlertFiring, "callback"> {
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
