import { findCallPrice } from "@/lib/money/charge";
import { writeClasses } from "../class-columns";
import type { HoldDraft, Settlement } from "../funds";
import type { ChainedColumn, ChainedEntry } from "../ledger-chain";
import { writeAudio } from "../media-columns";

/** A row of `ledger_entries`; see `money-schema` for units. */
export interface LedgerRow extends ChainedEntry {
  readonly kind: "payment" | "charge" | "provider_variance" | "correction";
  readonly id: string;
  readonly amount: bigint;
  readonly created_at_ms: number;
}

/** The columns that the variance of a call repeats from its charge. */
const VARIANCE_COLUMNS: readonly ChainedColumn[] = [
  "basis",
  "prompt_tokens",
  "completion_tokens",
  "request_id",
  "project_id",
  "key_id",
  "model",
  "input_per_1m",
  "output_per_1m",
  "rate",
];

/** The charge of a call, which is never more than its hold. */
export function describeCharge(hold: HoldDraft, settlement: Settlement): LedgerRow {
  const { entryId, charge, usage, basis, end } = settlement;
  const { amount: held } = hold;
  const price = findCallPrice(hold.price, usage);
  const { perUnit } = price;
  return {
    kind: "charge",
    id: entryId,
    amount: charge < held ? charge : held,
    created_at_ms: end.atMs,
    basis,
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    request_id: hold.requestId,
    project_id: hold.projectId,
    key_id: hold.keyId,
    model: hold.model,
    input_per_1m: price.inputPer1m,
    output_per_1m: price.outputPer1m,
    rate: price.rate,
    held,
    started_at_ms: hold.createdAtMs,
    stream: Number(end.stream),
    outcome: end.outcome,
    status: end.status,
    estimated_tokens: end.estimatedTokens,
    first_byte_ms: end.firstByteMs,
    duration_ms: end.durationMs,
    provider: end.provider,
    cached_tokens: usage.cachedTokens ?? null,
    unit: perUnit?.unit ?? null,
    units: perUnit ? (usage.units ?? 0) : null,
    unit_price: perUnit?.amount ?? null,
    batch_id: hold.batchId ?? null,
    audio: writeAudio(price, usage),
    counted_tokens: findCountedTokens(settlement),
    classes: writeClasses(price, usage),
  };
}

/** Null where all tokens count in the limits, as they nearly always do. */
function findCountedTokens({ usage, countedTokens }: Settlement): number | null {
  const tokens = usage.promptTokens + usage.completionTokens;
  return countedTokens === undefined || countedTokens === tokens ? null : countedTokens;
}

/** What a call cost beyond its hold. */
export function describeVariance(charge: LedgerRow, id: string, amount: bigint): LedgerRow {
  const repeated = Object.fromEntries(VARIANCE_COLUMNS.map((column) => [column, charge[column]]));
  return { ...repeated, kind: "provider_variance", id, amount, created_at_ms: charge.created_at_ms };
}
