import { formatDecimal } from "@/components/ui/values/group-digits";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";

/** Returns text within a sentence, such as "payment of 1,200.00 USD" or "correction of 5.00 USD". */
export function describePayment({ amount, currency, corrects, sets_approval }: PendingPayment): string {
  if (sets_approval) return "change of the approval amount";
  return `${corrects ? "correction" : "payment"} of ${formatDecimal(amount)} ${currency}`;
}
