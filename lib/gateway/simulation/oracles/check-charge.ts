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
    variance === 0n || !isWithinBounds(usage, call.admission),
    "I4",
    () => `${requestId} cost ${variance} beyond a hold that was to cover it`,
  );
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

/** Whether what a call used is no more than what its hold is for. */
function isWithinBounds(usage: TokenUsage, { request, maxOutputTokens }: CallRecord["admission"]): boolean {
  const { promptTokens, completionTokens, cacheWriteTokens = 0 } = usage;
  return (
    promptTokens <= request.promptTokens &&
    completionTokens <= maxOutputTokens * request.choices &&
    (cacheWriteTokens === 0 || request.cacheWrite !== undefined)
  );
}

/** Computed independently of the gateway's own function. */
function computeCharge(usage: TokenUsage, price: PriceSnapshot): bigint {
  const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
  const { cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage;
  const { inputPer1m, outputPer1m, classes: { longContext, ...base } = {} } = price;
  const long = longContext && promptTokens > longContext.from ? longContext : undefined;
  const input = long?.inputPer1m ?? inputPer1m;
  const parts: readonly (readonly [tokens: number, price: bigint])[] = [
    [promptTokens - cachedTokens - cacheWriteTokens, input],
    [cachedTokens, long?.cachedInputPer1m ?? base.cachedInputPer1m ?? input],
    [cacheWriteTokens - cacheWrite1hTokens, long?.cacheWrite5mPer1m ?? base.cacheWrite5mPer1m ?? input],
    [cacheWrite1hTokens, long?.cacheWrite1hPer1m ?? base.cacheWrite1hPer1m ?? input],
    [completionTokens, long?.outputPer1m ?? outputPer1m],
  ];
  const list = parts.reduce((sum, [tokens, per1m]) => sum + BigInt(tokens) * per1m, 0n);
  return (2n * list * price.rate + SCALE) / (2n * SCALE);
}
