import type { Control } from "react-hook-form";
import * as z from "zod/mini";
import { wholeCents } from "@/components/money/whole-cents";
import { TextareaField, TextField } from "@/components/ui/fields/text-field";
import type { Conflict } from "@/components/ui/form/find-conflicts";
import { DecimalField } from "@/components/ui/number-fields/decimal-field";
import { formatDecimal } from "@/components/ui/values/group-digits";
import {
  notificationChannel,
  type SpendAlert,
  type SpendAlertDraft,
} from "@/lib/contract/operations/money/spend-alerts";
import { formatCents, isZeroDecimal, parseCents } from "@/lib/money/amount";

const addressesIn = (text: string) => text.split(/[\s,;]+/).filter(Boolean);
const { recipients, subject_prefix: subjectPrefix } = notificationChannel.shape;

/** The form's values: a decimal amount, and addresses separated by lines, commas or spaces. */
export const alertForm = z.strictObject({
  threshold_amount: wholeCents.check(
    z.refine((text) => !isZeroDecimal(text), { message: "must be greater than 0" }),
  ),
  recipients: z.string().check(
    z.superRefine((text, context) => {
      const checked = recipients.safeParse(addressesIn(text));
      if (checked.success) return;
      const [issue] = checked.error.issues;
      const wrong = addressesIn(text)[Number(issue?.path[0])];
      context.addIssue(
        wrong === undefined ? "must contain 1 to 100 addresses" : `“${wrong}” is not an email address`,
      );
    }),
  ),
  subject_prefix: z.string().check(
    z.refine((text) => subjectPrefix.safeParse(text).success, {
      message: "must have at most 100 characters",
    }),
  ),
});
export type AlertForm = z.output<typeof alertForm>;

export const alertLabels = {
  threshold_amount: "Threshold",
  recipients: "Recipients",
  subject_prefix: "Subject prefix",
};
export const alertNames = ["threshold_amount", "recipients", "subject_prefix"] as const;

export const noAlert: AlertForm = { threshold_amount: "", recipients: "", subject_prefix: "" };

export function toAlertForm({
  threshold_amount: cents,
  notification_channel: channel,
}: SpendAlert): AlertForm {
  return {
    threshold_amount: formatCents(cents),
    recipients: channel.recipients.join("\n"),
    subject_prefix: channel.subject_prefix ?? "",
  };
}

/** Converts the form to the request's fields. */
export function toSpendAlertDraft(form: AlertForm, currency: string): SpendAlertDraft {
  return {
    currency,
    interval: "month",
    threshold_amount: parseCents(form.threshold_amount),
    notification_channel: {
      type: "email",
      recipients: addressesIn(form.recipients),
      ...(form.subject_prefix.trim() && { subject_prefix: form.subject_prefix }),
    },
  };
}

export function AlertFields({ control, currency }: { control: Control<AlertForm>; currency: string }) {
  return (
    <>
      <DecimalField
        control={control}
        name="threshold_amount"
        label={alertLabels.threshold_amount}
        unit={currency}
        places={2}
        help="What the calls of a calendar month (UTC) have cost when it fires."
      />
      <TextareaField
        control={control}
        name="recipients"
        label={alertLabels.recipients}
        placeholder=""
        help="Email addresses, one per line. They are sent with the callback, whose receiver sends the emails."
      />
      <TextField
        control={control}
        name="subject_prefix"
        label={alertLabels.subject_prefix}
        optional
        maxLength={100}
        help="The beginning of the subject, such as “[production]”."
      />
    </>
  );
}

/** Writes the thresholds of conflicts as money, for people to compare: `1234567` → `1,234,567.00 USD`. */
export function writeAmounts(conflicts: readonly Conflict[], currency: string): Conflict[] {
  const write = (amount: unknown) =>
    typeof amount === "string" && amount !== "" ? `${formatDecimal(amount)} ${currency}` : amount;
  return conflicts.map((conflict) =>
    conflict.name === "threshold_amount"
      ? {
          ...conflict,
          was: write(conflict.was),
          current: write(conflict.current),
          edited: write(conflict.edited),
        }
      : conflict,
  );
}
