import { NANO_PER_UNIT } from "@/lib/money/amount";
import type { AuditChange } from "./describe-changes";
import { NOT_RESTORABLE, parseListColumns, type RestoreMethod, type Row } from "./restore-method";

const NANO_PER_CENT = NANO_PER_UNIT / 100n;

/** How spend limits and alerts are restored. Their operations replace the whole object. */
export function spendRestoreMethods({
  id,
  project_id,
}: Pick<AuditChange, "id" | "project_id">): Readonly<Record<string, () => RestoreMethod>> {
  const place: Readonly<Record<string, string>> = project_id === null ? {} : { project_id };
  return {
    spend_limits: () => ({
      operation: project_id === null ? "saveSpendLimit" : "saveProjectSpendLimit",
      params: place,
      columns: ["amount"],
      otherwise: NOT_RESTORABLE,
      body: ({ amount }, { currency, interval }) => ({
        currency,
        interval,
        threshold_amount: Number(BigInt(String(amount)) / NANO_PER_CENT),
      }),
      columnsOf: ({ threshold_amount: cents }) => ({ amount: String(BigInt(Number(cents)) * NANO_PER_CENT) }),
    }),
    spend_alerts: () => ({
      operation: project_id === null ? "changeSpendAlert" : "changeProjectSpendAlert",
      params: { ...place, alert_id: id },
      columns: ["threshold_cents", "recipients", "subject_prefix"],
      otherwise: NOT_RESTORABLE,
      body: (back, { currency, interval, threshold_amount, notification_channel: channel }) => {
        const { threshold_cents = threshold_amount, ...sentTo } = parseListColumns(["recipients"])(back);
        return {
          currency,
          interval,
          threshold_amount: threshold_cents,
          notification_channel: { ...(channel as Row), ...sentTo },
        };
      },
      columnsOf: ({ threshold_amount, notification_channel: channel }) => {
        const { recipients, subject_prefix = null } = channel as Row;
        return { threshold_cents: threshold_amount, recipients: JSON.stringify(recipients), subject_prefix };
      },
    }),
  };
}
