import { groupDigits, trimDecimal } from "@/components/values/group-digits";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";

/** Returns text such as "Payment of 1,200.00 USD" or "Correction of 5.00 USD". Lower case unless `isFirst`. */
export function describePayment({ amount, currency, corrects }: PendingPayment, isFirst = true): string {
  const what = corrects ? "Correction" : "Payment";
  return `${isFirst ? what : what.toLowerCase()} of ${groupDigits(trimDecimal(amount))} ${currency}`;
}
