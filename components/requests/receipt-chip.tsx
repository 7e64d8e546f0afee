import { describeOutcome, outcomeLabels } from "@/components/requests/describe-outcome";
import { Chip } from "@/components/requests/outcome-chip";
import type { SharedReceipt } from "@/lib/contract/operations/calls/receipt-links";

/** A call's outcome with its HTTP status: `Refused · 429`. */
export function ReceiptChip({ request }: { request: SharedReceipt["request"] }) {
  return (
    <Chip tone={describeOutcome(request).tone}>
      {[outcomeLabels[request.outcome], request.status].filter((word) => word !== null).join(" · ")}
    </Chip>
  );
}
