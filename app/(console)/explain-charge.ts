import type { LedgerEntry } from "@/lib/contract/operations/balance";
import { amountOf, formatAmount } from "@/lib/money/amount";
import { chargeFor, listPriceOf } from "@/lib/money/charge";

/** The arithmetic of a charge from the entry's usage and price snapshot. Amounts are decimal strings. */
export interface ChargeExplanation {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly inputPer1m: string;
  readonly outputPer1m: string;
  readonly rate: string;
  /** Output priced by the unit, such as 2.00 images, with the list price of one; null if only tokens were charged. */
  readonly made: { readonly units: string; readonly unit: string; readonly amount: string } | null;
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
  const snapshot = {
    inputPer1m: amountOf(price.input_per_1m),
    outputPer1m: amountOf(price.output_per_1m),
    rate: amountOf(price.rate),
    ...(price.per_unit && {
      perUnit: { unit: price.per_unit.unit, amount: amountOf(price.per_unit.amount) },
    }),
  };
  const made = units !== undefined && price.per_unit ? { units, ...price.per_unit } : null;
  const usage = {
    promptTokens,
    completionTokens,
    ...(made && { units: Number(amountOf(made.units) / NANO_PER_MILLIONTH) }),
  };
  const charge = chargeFor(usage, snapshot);
  return {
    promptTokens,
    completionTokens,
    inputPer1m: price.input_per_1m,
    outputPer1m: price.output_per_1m,
    rate: price.rate,
    made,
    listPrice: formatAmount(listPriceOf(usage, snapshot)),
    charge: formatAmount(charge),
    cappedAt: charge > amountOf(entry.amount) ? entry.amount : null,
  };
}
