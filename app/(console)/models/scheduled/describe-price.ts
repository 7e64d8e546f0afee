import { describePriceClasses } from "@/components/ui/values/describe-price-classes";
import { describeUnitPrice, tidyAmount } from "@/components/ui/values/describe-unit-price";
import type { AudioPrice, ModelPrice, UnitPrice } from "@/lib/contract/operations/models/models";

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
    ...(rate === null ? [] : [`rate ${tidyAmount(rate)}`]),
    ...(batch_rate === undefined
      ? []
      : [batch_rate === null ? "no batch rate" : `batch rate ${tidyAmount(batch_rate)}`]),
    ...(price === null ? [] : [perMillion(price), describePriceClasses(price) ?? []].flat()),
    ...(unit_price === null ? [] : [describeUnitPrice(unit_price)]),
    ...(audio_price === undefined
      ? []
      : [audio_price === null ? "audio priced as text" : `audio ${perMillion(audio_price)}`]),
  ];
}

function perMillion({ input_per_1m, output_per_1m }: ModelPrice): string {
  return `${tidyAmount(input_per_1m)} in, ${tidyAmount(output_per_1m)} out per 1M tokens`;
}
