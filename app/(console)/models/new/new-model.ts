import { toAudioPrice } from "@/app/(console)/models/model-form";
import {
  canBePricedByTokens,
  isBatchFamily,
  isUnitFamily,
  type ModelFamily,
  type PriceUnit,
  priceUnits,
  writesTokens,
} from "@/lib/contract/calls/model-families";
import type { ModelDraft, ModelPriceDraft } from "@/lib/contract/operations/models/models";

/** What each kind of model is for, in the order of the form's list. */
export const familyWords: Readonly<Record<ModelFamily, string>> = {
  chat: "Chat: answers messages with text",
  image: "Image: creates images",
  video: "Video: creates videos",
  music: "Music: creates music",
  speech: "Speech: turns text into speech",
  transcription: "Transcription: turns recordings into text",
  embedding: "Embedding: turns text into vectors",
  moderation: "Moderation: finds harmful text",
};

/** Returns the units by which a kind of model can be priced; none for kinds that are priced by tokens. */
export function listPriceUnits(family: ModelFamily): readonly PriceUnit[] {
  return isUnitFamily(family) ? priceUnits[family] : [];
}

/** The form's values. A model that can be priced by the unit or by tokens has the unit `token` for the latter. */
export type NewModel = Omit<ModelDraft, "unit_price" | "price"> & {
  unit_price?: { unit: PriceUnit | "token"; amount: string } | undefined;
  /** Empty texts are prices that the model doesn't have. */
  price?: TypedPrice | undefined;
};

type TypedPrice = Omit<ModelPriceDraft, "long_context_from"> & {
  long_context_from?: string | number | undefined;
};

/** Whether the form's model is priced by tokens. */
export function isPricedByTokens(family: ModelFamily, unit: PriceUnit | "token" | undefined): boolean {
  return !isUnitFamily(family) || (canBePricedByTokens(family) && unit === "token");
}

/** Converts the form's values to the request, with only the fields that this kind of model has. */
export function toModelDraft({
  price,
  unit_price,
  batch_rate,
  audio_price,
  max_output_tokens,
  context_window,
  ...draft
}: NewModel): ModelDraft {
  const { family } = draft;
  const [firstUnit, ...otherUnits] = listPriceUnits(family);
  if (firstUnit && !isPricedByTokens(family, unit_price?.unit)) {
    const unit = otherUnits.find((other) => other === unit_price?.unit) ?? firstUnit;
    return { ...draft, unit_price: { unit, amount: unit_price?.amount ?? "" } };
  }
  const typedAudio = {
    audio_input: audio_price?.input_per_1m ?? "",
    audio_output: family === "chat" ? (audio_price?.output_per_1m ?? "") : "",
  };
  const audio = writesTokens(family) ? toAudioPrice(typedAudio, family) : null;
  const output = writesTokens(family) ? (price?.output_per_1m ?? "") : "0";
  return {
    ...draft,
    ...(batch_rate && isBatchFamily(family) && { batch_rate }),
    price: {
      ...(family === "chat" && price && pickTypedClasses(price)),
      input_per_1m: price?.input_per_1m ?? "",
      output_per_1m: output,
    },
    ...(audio && { audio_price: audio }),
    ...(writesTokens(family) && { max_output_tokens }),
    ...(family !== "moderation" && family !== "transcription" && { context_window }),
  };
}

function pickTypedClasses({ long_context = {}, long_context_from: from, ...prices }: TypedPrice) {
  const long = pickTyped(long_context);
  return {
    ...pickTyped(prices),
    // Text that is no number stays, so that it is refused.
    ...(from && {
      long_context_from: Number.isNaN(Number(from)) ? (from as unknown as number) : Number(from),
    }),
    ...(Object.keys(long).length > 0 && { long_context: long }),
  };
}

function pickTyped<Prices extends object>(prices: Prices): Partial<Prices> {
  return Object.fromEntries(Object.entries(prices).filter(([, text]) => text !== "")) as Partial<Prices>;
}
