import type { FindInAddress } from "@/components/ui/filters/time-range";
import type { ReadParameters } from "@/lib/console/reads/reads";

/** The read of what waits for a second person. */
export const pendingRead = { pages: "listPendingPayments", parameters: { limit: "50" } } as const;

/** Returns the parameters of the list of payments, by the search in the address. */
export function paymentListParameters(find: FindInAddress): ReadParameters {
  return { kind: "payment", text: find("q").trim().slice(0, 200) || undefined, limit: "50" };
}
