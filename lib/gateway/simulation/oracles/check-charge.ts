import type { PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import { BrokenInvariant, ensure } from "../broken-invariant";
import type { CallRecord } from "./call-record";
import type { Entry } from "./entry";

const SCALE = 10n ** 15n;

/** A charge equals the call's usage to the nano-unit, up to its hold; the excess is booked separately. */
export function checkCharge(
  { request_id: requestId, amount, held, basis, ...entry }: Entry,
  evidence: { readonly call: CallRecord | undefined; readonly variance: bigint; readonly isReaped: boolean },
): void {
  const { call, variance, isReaped } = evidence;
  if (!call) throw new BrokenInvariant("I6", `${requestId} is charged and was never let through`);
  const { holdAmount, request } = call.admission;
  ensure(held === holdAmount, "sums", () => `${requestId} held ${holdAmount}, its charge says ${held}`);
  ensure(amount <= holdAmount, "I4", () => `${requestId} is charged ${amount} of a hold of ${holdAmount}`);
  ensure(!isReaped || basis === "interrupted", "basis", () => `${requestId} was reaped, and is ${basis}`);
  const usage = isReaped ? knownUsage(call) : dueUsage(call, basis);
  const isExact = Number(entry.prompt_tokens) === usage.promptTokens;
  ensure(isExact && Number(entry.completion_tokens) === usage.completionTokens, "sums", () => {
    return `${requestId} is charged for other tokens than it used`;
  });
  const expectedCharge = computeCharge(usage, request.price);
  ensure(
    amount + variance === expectedCharge,
    "sums",
    () => `${amount + variance} are booked for ${requestId}, not ${expectedCharge}`,
  );
}

/** The known usage of a call whose process died. */
function knownUsage({ admission, storedCheckpoint }: CallRecord): TokenUsage {
  return { promptTokens: admission.request.promptTokens, completionTokens: storedCheckpoint };
}

/** The usage that a call must be charged for. */
function dueUsage({ ending, requestId }: CallRecord, basis: string | null): TokenUsage {
  if (ending?.kind === "settle" && ending.basis === basis) return ending.usage;
  const endingName = ending?.kind === "settle" ? ending.basis : (ending?.kind ?? "nothing");
  throw new BrokenInvariant("charged", `${requestId} is charged as ${basis}, and ended as ${endingName}`);
}

/** Computed independently of the gateway's own function. */
function computeCharge({ promptTokens, completionTokens }: TokenUsage, price: PriceSnapshot): bigint {
  const list = BigInt(promptTokens) * price.inputPer1m + BigInt(completionTokens) * price.outputPer1m;
  return (2n * list * price.rate + SCALE) / (2n * SCALE);
}
