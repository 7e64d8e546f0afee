import { groupDigits, trimDecimal } from "@/components/ui/group-digits";
import type { PendingPaymentObject } from "@/lib/contract/operations/pending-payment";

/** Returns text such as "Payment of 1,200.00 USD". Lower case unless `isFirst`. */
export function nameOfPayment({ amount, currency }: PendingPaymentObject, isFirst = true): string {
  return `${isFirst ? "Payment" : "payment"} of ${groupDigits(trimDecimal(amount))} ${currency}`;
}
