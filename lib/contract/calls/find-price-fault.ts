import type { ModelDraft } from "../operations/models/models";
import { canBePricedByTokens, isBatchFamily, isUnitFamily, priceUnits, writesTokens } from "./model-families";

/** The fault in the prices of a model of this family, with its field and correction; null for none. */
export function findPriceFault({
  family,
  batch_rate,
  price,
  unit_price,
  audio_price,
}: Pick<ModelDraft, "family" | "batch_rate" | "price" | "unit_price" | "audio_price">): {
  field: string;
  message: string;
  /** Set where the field is missing. */
  code?: "missing_field";
} | null {
  if ((batch_rate ?? null) !== null && !isBatchFamily(family))
    return { field: "batch_rate", message: `has no effect: no batch takes lines of ${family} models` };
  if ((audio_price ?? null) !== null && family !== "chat" && family !== "transcription") {
    const message = "has no effect: only calls of chat and transcription models have tokens of audio";
    return { field: "audio_price", message };
  }
  if (lacksOutputPrice(family, price))
    return { field: "price.output_per_1m", message: "is required", code: "missing_field" };
  const classFault = price && findClassFault(family, price);
  if (classFault) return classFault;
  if (!isUnitFamily(family)) {
    const message = `is a price by the unit: give this ${family} model a price by tokens`;
    return unit_price === undefined ? null : { field: "unit_price", message };
  }
  if (price !== undefined && !canBePricedByTokens(family))
    return { field: "price", message: `is a price by tokens: give this ${family} model a unit_price` };
  if (price !== undefined && unit_price !== undefined)
    return { field: "unit_price", message: "is given beside price: give this model one of the two" };
  if ((audio_price ?? null) !== null && unit_price !== undefined)
    return { field: "audio_price", message: "has no effect on a model that is priced by the unit" };
  const units: readonly string[] = priceUnits[family];
  if (unit_price === undefined || units.includes(unit_price.unit)) return null;
  return { field: "unit_price.unit", message: `must be ${units.join(" or ")} for ${family} models` };
}

/** The fault in the prices of classes: a model that isn't chat has none, and a long context begins somewhere. */
function findClassFault(
  family: ModelDraft["family"],
  { input_per_1m: _input, output_per_1m: _output, ...classes }: NonNullable<ModelDraft["price"]>,
): { field: string; message: string; code?: "missing_field" } | null {
  const [first] = Object.keys(classes);
  if (first === undefined) return null;
  if (family !== "chat")
    return {
      field: `price.${first}`,
      message: `has no effect: calls of ${family} models have no such tokens`,
    };
  const { long_context, long_context_from } = classes;
  if (long_context && long_context_from === undefined)
    return { field: "price.long_context_from", message: "is required", code: "missing_field" };
  if (long_context_from === undefined || (long_context && Object.keys(long_context).length > 0)) return null;
  return { field: "price.long_context", message: "must have a price for calls above long_context_from" };
}

/** Whether a token price lacks the output price. Models that write no tokens don't need one. */
export function lacksOutputPrice(family: ModelDraft["family"], price: ModelDraft["price"]): boolean {
  return price !== undefined && price.output_per_1m === undefined && writesTokens(family);
}
