import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";
import { computeCharge, computeListPrice } from "@/lib/money/charge";

/** The arithmetic of a charge from the entry's usage and price snapshot. Amounts are decimal strings. */
export interface ChargeExplanation {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly inputPer1m: string;
  readonly outputPer1m: string;
  readonly rate: string;
  /** Output priced by the unit, such as 2.00 images, with the list price of one; null if only tokens were charged. */
  readonly made: { readonly units: string; readonly unit: string; readonly amount: string } | null;
  /** The tokens of audio, which the others don't include, with their prices; null if none were charged apart. */
  readonly audio: {
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly inputPer1m: string;
    readonly outputPer1m: string;
  } | null;
  readonly listPrice: string;
  readonly charge: string;
  /** The cap of the charge, if it was capped: customers never pay more than was held. Else null. */
  readonly cappedAt: string | null;
}

const NANO_PER_MILLIONTH = 1_000n;

/** @returns null for an entry that isn't a call's charge. */
export function explainCharge(entry: LedgerEntry): ChargeExplanation | null {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, units, price } = entry;
  if (entry.kind !== "charge" || !price || promptTokens === null || completionTokens === null) return null;
  const audio = entry.audio &&
    price.audio && {
      promptTokens: entry.audio.prompt_tokens,
      completionTokens: entry.audio.completion_tokens,
      inputPer1m: price.audio.input_per_1m,
      outputPer1m: price.audio.output_per_1m,
    };
  const snapshot = {
    inputPer1m: parseCheckedAmount(price.input_per_1m),
    outputPer1m: parseCheckedAmount(price.output_per_1m),
    rate: parseCheckedAmount(price.rate),
    ...(price.per_unit && {
      perUnit: { unit: price.per_unit.unit, amount: parseCheckedAmount(price.per_unit.amount) },
    }),
    ...(audio && {
      audio: {
        inputPer1m: parseCheckedAmount(audio.inputPer1m),
        outputPer1m: parseCheckedAmount(audio.outputPer1m),
      },
    }),
  };
  const made = units !== undefined && price.per_unit ? { units, ...price.per_unit } : null;
  const usage = {
    promptTokens,
    completionTokens,
    ...(made && { units: Number(parseCheckedAmount(made.units) / NANO_PER_MILLIONTH) }),
    ...(audio && { audio }),
  };
  const charge = computeCharge(usage, snapshot);
  return {
    promptTokens: promptTokens - (audio?.promptTokens ?? 0),
    completionTokens: completionTokens - (audio?.completionTokens ?? 0),
    inputPer1m: price.input_per_1m,
    outputPer1m: price.output_per_1m,
    rate: price.rate,
    made,
    audio: audio ?? null,
    listPrice: formatAmount(computeListPrice(usage, snapshot)),
    charge: formatAmount(charge),
    cappedAt: charge > parseCheckedAmount(entry.amount) ? entry.amount : null,
  };
}
