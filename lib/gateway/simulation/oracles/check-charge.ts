import type { PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import type { ChargeBasis, FinalOutcome } from "../../ledger/funds";
import type { ChainedEntry } from "../../ledger/ledger-row";
import type { Admission } from "../../rate-limits/admissions";
import { BrokenInvariant, ensure } from "../broken-invariant";

/** A row of the ledger; integers are bigint, as on the writer's connection. */
export interface Entry extends Required<ChainedEntry> {
  readonly seq: bigint;
  readonly id: string;
  readonly kind: "payment" | "charge" | "provider_variance" | "correction";
  readonly amount: bigint;
  readonly from_account: string;
  readonly to_account: string;
  readonly reference: string | null;
  readonly created_at_ms: bigint;
  readonly project_id: string | null;
  readonly request_id: string | null;
  readonly basis: string | null;
  readonly held: bigint | null;
  readonly corrects: string | null;
  readonly prompt_tokens: bigint | null;
  readonly completion_tokens: bigint | null;
  /** Set on the last entry of a batch. */
  readonly hash: Uint8Array | null;
}

/** The first way in which a call ended. */
export type CallEnding =
  | { readonly kind: "settle"; readonly usage: TokenUsage; readonly basis: ChargeBasis }
  | { readonly kind: "release"; readonly outcome: FinalOutcome };

/** An admitted call as its client, its provider and its gateway know it. The ledger is compared with it. */
export interface CallRecord {
  readonly requestId: string;
  readonly admission: Admission;
  /** What the provider will invoice; null if it was never reached. */
  readonly invoice: TokenUsage | null;
  readonly ending: CallEnding | null;
  /** Whether the client has the whole reply. */
  readonly isComplete: boolean;
  /** The committed number of tokens generated so far. */
  storedCheckpoint: number;
}

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

/** Whether a call's usage is within its hold. */
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
