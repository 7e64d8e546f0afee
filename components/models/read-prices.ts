import type { OrganizationModel } from "@/lib/contract/operations/models/models";
import { parseCheckedAmount } from "@/lib/money/amount";
import type { PriceSnapshot } from "@/lib/money/charge";
import { readPriceFields } from "@/lib/money/price-fields";

type PricedModel = Pick<OrganizationModel, "rate" | "price" | "audio_price">;

/** Returns a model's rate and prices as charges are computed with them; null for one without prices by tokens. */
export function readTokenPrices({ rate, price, audio_price }: PricedModel): PriceSnapshot | null {
  if (!price) return null;
  const audio = audio_price && {
    inputPer1m: parseCheckedAmount(audio_price.input_per_1m),
    outputPer1m: parseCheckedAmount(audio_price.output_per_1m),
  };
  const classes = readPriceFields(price, parseCheckedAmount);
  return {
    inputPer1m: parseCheckedAmount(price.input_per_1m),
    outputPer1m: parseCheckedAmount(price.output_per_1m),
    rate: parseCheckedAmount(rate),
    ...(audio && { audio }),
    ...(classes && { classes }),
  };
}
