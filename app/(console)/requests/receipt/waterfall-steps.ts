import { labelCheck } from "@/components/requests/describe-outcome";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";

/** A phase of a call. Times are milliseconds after the admission. */
export interface Step {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly tone: "waiting" | "answering" | "failed";
}

/** One attempt with its phases. `name` is null if the group needs no heading. */
export interface StepGroup {
  readonly name: string | null;
  /** The outcome of the attempt. */
  readonly outcome: string | null;
  readonly providerRequestId: string | null;
  readonly steps: readonly Step[];
}

type Attempt = RequestReceipt["attempts"][number];

/** Returns the recorded phases of an ended call by attempt; null while the call is running. */
export function buildWaterfall({ request, attempts }: RequestReceipt): StepGroup[] | null {
  const { duration_ms: total, first_byte_ms: first } = request;
  if (total === null) return null;
  if (attempts.length === 0) return [{ ...nothingSaid, steps: buildWholeSteps(first, total) }];
  const sent = attempts[0]?.sent_ms ?? null;
  const start: StepGroup[] =
    sent === null
      ? []
      : [{ ...nothingSaid, steps: [{ name: "Checks and hold", from: 0, to: sent, tone: "waiting" }] }];
  return [
    ...start,
    ...attempts.map((attempt, index): StepGroup => {
      const isLast = index === attempts.length - 1;
      return {
        name: `${attempts.length > 1 ? `${index + 1}. ` : ""}${attempt.provider} · ${attempt.model}`,
        outcome: describeOutcome(attempt, isLast),
        providerRequestId: attempt.provider_request_id,
        steps: buildSteps(attempt, {
          isFirst: index === 0,
          end: attempt.ended_ms ?? total,
          firstByte: isLast && request.stream ? first : null,
        }),
      };
    }),
  ];
}

const nothingSaid = { name: null, outcome: null, providerRequestId: null };

function buildWholeSteps(first: number | null, total: number): Step[] {
  if (first === null) return [{ name: "Until its end", from: 0, to: total, tone: "waiting" }];
  return [
    { name: "Waiting for the first byte", from: 0, to: first, tone: "waiting" },
    { name: "Answering", from: first, to: total, tone: "answering" },
  ];
}

/** `firstByte` is the time of a stream's first data, which may come after the response head. */
function buildSteps(
  attempt: Attempt,
  { isFirst, end, firstByte }: { isFirst: boolean; end: number; firstByte: number | null },
): Step[] {
  const { started_ms: started, reached_ms: reached, sent_ms: sent, answered_ms: answered } = attempt;
  const before = isFirst ? (sent ?? started) : started;
  const steps: Step[] = [];
  if (reached !== null && !isFirst)
    steps.push({ name: "Connecting", from: before, to: reached, tone: "waiting" });
  if (sent === null) return [...steps, { name: "Not reached", from: before, to: end, tone: "failed" }];
  const begun = firstByte ?? answered;
  steps.push({
    name: begun === null ? "Waiting, unanswered" : "Waiting for the first byte",
    from: sent,
    to: begun ?? end,
    tone: begun === null && attempt.failure !== null ? "failed" : "waiting",
  });
  if (begun !== null)
    steps.push({
      name: "Answering",
      from: begun,
      to: end,
      tone: attempt.failure === null ? "answering" : "failed",
    });
  return steps;
}

function describeOutcome({ status, failure, sent_ms, left_out }: Attempt, isLast: boolean): string {
  const words = [
    status === null
      ? sent_ms === null
        ? "never reached"
        : failure
          ? "no answer"
          : null
      : `answered ${status}`,
    failure === null ? null : labelCheck(failure).toLowerCase(),
    left_out.length > 0 ? `sent without ${left_out.join(", ")}` : null,
    isLast ? null : "tried again",
  ];
  return words.filter((word) => word !== null).join(", ");
}
