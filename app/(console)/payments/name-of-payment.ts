import { groupDigits, trimDecimal } from "@/components/ui/group-digits";
import type { PendingPaymentObject } from "@/lib/contract/operations/pending-payment";

/** "Payment of 1,200.00 USD". */
export function nameOfPayment({ amount, currency }: PendingPaymentObject, isFirst = true): string {
  return `${isFirst ? "Payment" : "payment"} of ${groupDigits(trimDecimal(amount))} ${currency}`;
}
