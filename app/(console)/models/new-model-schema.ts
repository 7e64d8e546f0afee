import * as z from "zod/mini";
import {
  isBatchFamily,
  isUnitFamily,
  type ModelFamily,
  type PriceUnit,
  priceUnits,
} from "@/lib/contract/model-families";
import { type ModelDraft, modelDraft } from "@/lib/contract/operations/models";

/** What each kind of model is for, in the order of the form's list. */
export const familyWords: Readonly<Record<ModelFamily, string>> = {
  chat: "Chat: answers messages with text",
  image: "Image: makes images",
  video: "Video: makes films",
  music: "Music: makes music",
  speech: "Speech: speaks texts",
  transcription: "Transcription: writes down recordings",
  embedding: "Embedding: turns texts into vectors",
  moderation: "Moderation: says which texts do harm",
};

/** Returns the units by which a kind of model can be priced; none for kinds that are priced by tokens. */
export function unitsOf(family: ModelFamily): readonly PriceUnit[] {
  return isUnitFamily(family) ? priceUnits[family] : [];
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
}: ModelDraft): ModelDraft {
  const [firstUnit, ...otherUnits] = unitsOf(draft.family);
  if (firstUnit) {
    const unit = otherUnits.find((other) => other === unit_price?.unit) ?? firstUnit;
    return { ...draft, unit_price: { unit, amount: unit_price?.amount ?? "" } };
  }
  const isChat = draft.family === "chat";
  const output = isChat ? (price?.output_per_1m ?? "") : "0";
  return {
    ...draft,
    ...(batch_rate && isBatchFamily(draft.family) && { batch_rate }),
    price: { input_per_1m: price?.input_per_1m ?? "", output_per_1m: output },
    ...(isChat && (audio_price?.input_per_1m || audio_price?.output_per_1m) && { audio_price }),
    ...(isChat && { max_output_tokens }),
    ...(draft.family !== "moderation" && { context_window }),
  };
}

/** Validates the form's values as the request they are converted to. */
export const newModelSchema = z.pipe(z.transform(toModelDraft), modelDraft);
