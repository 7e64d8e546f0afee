import type { RequestReceipt } from "@/lib/contract/operations/requests";
import { describeOutcome, outcomeLabels } from "../describe-outcome";
import { Chip } from "../outcome-chip";

/** A call's outcome with its HTTP status: `Refused · 429`. */
export function ReceiptChip({ receipt: { request, task_id } }: { receipt: RequestReceipt }) {
  const isCanceled = request.outcome === "client_gone" && task_id !== null;
  return (
    <Chip tone={describeOutcome(request).tone}>
      {[isCanceled ? "Canceled" : outcomeLabels[request.outcome], request.status]
        .filter((word) => word !== null)
        .join(" · ")}
    </Chip>
  );
}
