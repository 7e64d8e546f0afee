import type { AudioPrice, ModelPrice, UnitPrice } from "@/lib/contract/operations/models";
import { formatAmount, parseCheckedAmount } from "@/lib/money/amount";

/** A model's rate and prices. In a scheduled change, null means unchanged. */
export interface Prices {
  readonly rate: string | null;
  /** Absent where it is unchanged; null where batch lines have the model rate. */
  readonly batch_rate?: string | null | undefined;
  readonly price: ModelPrice | null;
  readonly unit_price: UnitPrice | null;
  /** Absent where it is unchanged; null where tokens of audio cost as much as those of text. */
  readonly audio_price?: AudioPrice | null | undefined;
}

/** Describes each part, such as "rate 0.20" and "1.00 in, 2.00 out". */
export function describePrice({ rate, batch_rate, price, unit_price, audio_price }: Prices): string[] {
  return [
    ...(rate === null ? [] : [`rate ${tidy(rate)}`]),
    ...(batch_rate === undefined
      ? []
      : [batch_rate === null ? "no batch rate" : `batch rate ${tidy(batch_rate)}`]),
    ...(price === null ? [] : [perMillion(price)]),
    ...(unit_price === null ? [] : [describeUnitPrice(unit_price)]),
    ...(audio_price === undefined
      ? []
      : [audio_price === null ? "audio priced as text" : `audio ${perMillion(audio_price)}`]),
  ];
}

function perMillion({ input_per_1m, output_per_1m }: ModelPrice): string {
  return `${tidy(input_per_1m)} in, ${tidy(output_per_1m)} out per 1M tokens`;
}

function describeUnitPrice({ unit, amount, qualities = {} }: UnitPrice): string {
  const others = Object.entries(qualities).map(([quality, price]) => `, ${quality} ${tidy(price)}`);
  return `${tidy(amount)} per ${unit}${others.join("")}`;
}

/** Formats with at least two decimal places, like all amounts. */
function tidy(decimal: string): string {
  return formatAmount(parseCheckedAmount(decimal));
}
