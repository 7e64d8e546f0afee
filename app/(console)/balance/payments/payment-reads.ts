import type { FindInAddress } from "@/components/ui/filters/time-range";
import { groupDigits, trimDecimal } from "@/components/ui/values/group-digits";
import type { ReadParameters } from "@/lib/console/reads/reads";
import type { PendingPayment } from "@/lib/contract/operations/money/pending-payment";

/** The read of what waits for a second person. */
export const pendingRead = { pages: "listPendingPayments", parameters: { limit: "50" } } as const;

/** Returns the parameters of the list of payments, by the search in the address. */
export function paymentListParameters(find: FindInAddress): ReadParameters {
  return { kind: "payment", text: find("q").trim().slice(0, 200) || undefined, limit: "50" };
}

/** Returns text within a sentence, such as "payment of 1,200.00 USD" or "correction of 5.00 USD". */
export function describePayment({ amount, currency, corrects, sets_approval }: PendingPayment): string {
  if (sets_approval) return "change of the approval amount";
  return `${corrects ? "correction" : "payment"} of ${groupDigits(trimDecimal(amount))} ${currency}`;
}
