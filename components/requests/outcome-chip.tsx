import { classNames } from "@/components/ui/class-names";
import type { Tone } from "@/components/ui/status";
import type { SharedReceipt } from "@/lib/contract/operations/calls/receipt-links";
import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { describeOutcome, outcomeLabels } from "./describe-outcome";

const looks: Record<Tone, string> = {
  good: "bg-success-soft text-success",
  near: "bg-warning-soft text-warning",
  bad: "bg-danger-soft text-danger",
  neutral: "border bg-surface text-muted",
};

/** A call's outcome in a word. For a refused call, the check that refused it. */
export function OutcomeChip({ request }: { request: Pick<LoggedRequest, "outcome" | "refused_by"> }) {
  const { tone, label } = describeOutcome(request);
  return <Chip tone={tone}>{request.refused_by ? <Refused label={label} /> : label}</Chip>;
}

function Chip({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span
      className={classNames(
        "inline-flex h-5.5 items-center rounded-sm px-1.5 text-sm whitespace-nowrap",
        looks[tone],
      )}
    >
      {children}
    </span>
  );
}

/** The label and the color both say that the call was refused. */
function Refused({ label }: { label: string }) {
  return (
    <>
      <span className="sr-only">Refused: </span>
      {label}
    </>
  );
}

/** A call's outcome with its HTTP status: `Refused · 429`. */
export function ReceiptChip({ request }: { request: SharedReceipt["request"] }) {
  return (
    <Chip tone={describeOutcome(request).tone}>
      {[outcomeLabels[request.outcome], request.status].filter((word) => word !== null).join(" · ")}
    </Chip>
  );
}
