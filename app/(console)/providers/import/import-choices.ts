import {
  isUnitFamily,
  type ModelFamily,
  type PriceUnit,
  priceUnits,
  writesTokens,
} from "@/lib/contract/calls/model-families";
import type { ModelImport } from "@/lib/contract/operations/models/model-imports";
import type { OfferedModel } from "@/lib/contract/operations/models/provider-tests";
import { parseAmount } from "@/lib/money/amount";

/** What is chosen for a model of the list. Prices are typed text, and empty where none is known. */
export interface Choice {
  readonly isTicked: boolean;
  readonly id: string;
  readonly input: string;
  readonly cached: string;
  readonly output: string;
  /** The unit of a model that is priced by it; null for one that is priced by tokens. */
  readonly unit: PriceUnit | null;
  readonly amount: string;
  /** Its own model rate; empty for that of all. */
  readonly rate: string;
}
export type Choices = ReadonlyMap<string, Choice>;
type PriceField = "input" | "cached" | "output" | "amount";

/** What keeps a ticked model from being imported. */
export interface MissingField {
  readonly model: string;
  readonly field: PriceField | "id" | "rate";
  readonly sentence: string;
}

/** Longer lists are not ticked whole: nobody wants all of a marketplace. */
const MOST_TICKED = 60;
/** The most models of one import. */
export const MOST_IMPORTED = 500;

export const canImport = ({ imported, unusable }: OfferedModel) => imported === null && unusable === null;
export const hasPrice = ({ price, unit_price }: OfferedModel) => price !== null || unit_price !== null;

/** Ticks the models with a known price, if the list is short enough to want all of it. */
export function beginChoices(models: readonly OfferedModel[]): Choices {
  const isWanted = (model: OfferedModel) => canImport(model) && hasPrice(model) && model.suggested_id !== "";
  const ticksAll = models.filter(isWanted).length <= MOST_TICKED;
  return new Map(models.map((model) => [model.model, beginChoice(model, ticksAll && isWanted(model))]));
}

function beginChoice(model: OfferedModel, isTicked: boolean): Choice {
  const { price, unit_price, family } = model;
  return {
    isTicked,
    id: model.suggested_id,
    input: price?.input_per_1m ?? "",
    cached: price?.cached_input_per_1m ?? "",
    output: price?.output_per_1m ?? "",
    unit: price ? null : (unit_price?.unit ?? (isUnitFamily(family) ? priceUnits[family][0] : null)),
    amount: unit_price?.amount ?? "",
    rate: "",
  };
}

/** The first thing that a ticked model lacks; null for a complete one. */
export function findMissing({ model, family }: OfferedModel, choice: Choice): MissingField | null {
  const missing = (field: MissingField["field"], sentence: string) => ({ model, field, sentence });
  if (!/^[!-~]{1,200}$/.test(choice.id)) return missing("id", "Id missing");
  if (choice.rate !== "" && !isPositive(choice.rate))
    return missing("rate", "Model rate isn’t a number above 0");
  const output: readonly [PriceField, string][] = writesTokens(family) ? [["output", "Output price"]] : [];
  const fields: readonly [PriceField, string][] =
    choice.unit === null ? [["input", "Input price"], ...output] : [["amount", `Price per ${choice.unit}`]];
  for (const [field, label] of fields) {
    if (choice[field].trim() === "") return missing(field, `${label} missing`);
    if (!isPrice(choice[field])) return missing(field, `${label} isn’t a number`);
  }
  if (choice.unit === null && choice.cached !== "" && !isPrice(choice.cached))
    return missing("cached", "Price of cached input isn’t a number");
  return null;
}

export function isPrice(text: string): boolean {
  const amount = parseAmount(text.trim());
  return amount !== null && amount >= 0n;
}

export function isPositive(text: string): boolean {
  const amount = parseAmount(text.trim());
  return amount !== null && amount > 0n;
}

/** The ticked models in the API's form, with what the catalogue knows beside the typed prices. */
export function toImportedModels(models: readonly OfferedModel[], choices: Choices): ModelImport["models"] {
  return models.flatMap((model) => {
    const choice = choices.get(model.model);
    return choice?.isTicked ? [toImported(model, choice)] : [];
  });
}

function toImported(offered: OfferedModel, choice: Choice): ModelImport["models"][number] {
  const { model, family, context_window, max_output_tokens, input_modalities, audio_price } = offered;
  return {
    model,
    id: choice.id,
    family,
    ...(choice.rate !== "" && { rate: choice.rate.trim() }),
    ...toPrice(offered, choice),
    ...(audio_price && choice.unit === null && canHaveAudio(family) && { audio_price }),
    ...(context_window !== null && { context_window }),
    ...(max_output_tokens !== null && { max_output_tokens }),
    ...(input_modalities && { input_modalities }),
  };
}

const canHaveAudio = (family: ModelFamily) => family === "chat" || family === "transcription";

function toPrice({ price, family }: OfferedModel, choice: Choice) {
  if (choice.unit !== null) return { unit_price: { unit: choice.unit, amount: choice.amount.trim() } };
  const { cached_input_per_1m: _, ...known } = price ?? {};
  return {
    price: {
      ...known,
      input_per_1m: choice.input.trim(),
      ...(writesTokens(family) && { output_per_1m: choice.output.trim() }),
      ...(family === "chat" && choice.cached !== "" && { cached_input_per_1m: choice.cached.trim() }),
    },
  };
}
