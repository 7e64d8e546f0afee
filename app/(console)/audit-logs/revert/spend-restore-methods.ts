import type { AuditChange } from "@/components/audit-log/describe-changes";
import { NANO_PER_CENT } from "@/lib/money/amount";
import { NOT_RESTORABLE, parseListColumns, type RestoreMethod, type Row } from "./restore-method";

/** How spend limits and alerts are restored. Their operations replace the whole object. */
export function spendRestoreMethods({
  id,
  project_id,
}: Pick<AuditChange, "id" | "project_id">): Readonly<Record<string, () => RestoreMethod>> {
  const projectParams: Readonly<Record<string, string>> = project_id === null ? {} : { project_id };
  const isOrganization = project_id === null;
  return {
    spend_limits: () => ({
      operation: isOrganization ? "saveSpendLimit" : "saveProjectSpendLimit",
      params: projectParams,
      columns: ["amount"],
      otherwise: NOT_RESTORABLE,
      body: ({ amount }, { currency }) => toLimit(amount, currency),
      toColumns: ({ threshold_amount: cents }) => ({ amount: String(BigInt(Number(cents)) * NANO_PER_CENT) }),
      remove: { operation: isOrganization ? "deleteSpendLimit" : "deleteProjectSpendLimit" },
      remake: { body: ({ amount }, { currency }) => toLimit(amount, currency) },
    }),
    spend_alerts: () => ({
      operation: isOrganization ? "changeSpendAlert" : "changeProjectSpendAlert",
      params: { ...projectParams, alert_id: id },
      columns: ["threshold_cents", "recipients", "subject_prefix"],
      otherwise: NOT_RESTORABLE,
      body: (back, { currency, threshold_amount, notification_channel: channel }) => {
        const { threshold_cents = threshold_amount, ...sentTo } = parseListColumns(["recipients"])(back);
        return toAlert(currency, threshold_cents, { ...(channel as Row), ...sentTo });
      },
      toColumns: ({ threshold_amount, notification_channel: channel }) => {
        const { recipients, subject_prefix = null } = channel as Row;
        return { threshold_cents: threshold_amount, recipients: JSON.stringify(recipients), subject_prefix };
      },
      remove: { operation: isOrganization ? "deleteSpendAlert" : "deleteProjectSpendAlert" },
      remake: {
        operation: isOrganization ? "createSpendAlert" : "createProjectSpendAlert",
        params: projectParams,
        body: ({ threshold_cents, recipients, subject_prefix }, { currency }) =>
          toAlert(currency, threshold_cents, {
            type: "email",
            recipients: JSON.parse(String(recipients)),
            subject_prefix,
          }),
      },
    }),
  };
}

const toLimit = (amount: unknown, currency: unknown) => ({
  currency,
  interval: "month",
  threshold_amount: Number(BigInt(String(amount)) / NANO_PER_CENT),
});

const toAlert = (currency: unknown, cents: unknown, channel: Row) => ({
  currency,
  interval: "month",
  threshold_amount: cents,
  notification_channel: channel,
});
