export const modelFamilies = [
  "chat",
  "image",
  "video",
  "music",
  "speech",
  "transcription",
  "embedding",
  "moderation",
] as const;
export type ModelFamily = (typeof modelFamilies)[number];

/** The families whose models are priced by tokens alone. */
export const tokenFamilies = ["chat", "embedding", "moderation"] as const;

/** The families whose models make files, in tasks. */
export const mediaFamilies = ["image", "video", "music"] as const;
export type MediaFamily = (typeof mediaFamilies)[number];

export function isMediaFamily(family: ModelFamily): family is MediaFamily {
  return mediaFamilies.some((media) => media === family);
}

/** The families whose models are priced by the unit, with their possible units. */
export const priceUnits = {
  image: ["image", "megapixel"],
  video: ["second"],
  music: ["second"],
  speech: ["character"],
  transcription: ["second", "minute"],
} as const satisfies Readonly<Partial<Record<ModelFamily, readonly string[]>>>;
export type UnitFamily = keyof typeof priceUnits;
export type PriceUnit = (typeof priceUnits)[UnitFamily][number];

export function isUnitFamily(family: ModelFamily): family is UnitFamily {
  return family in priceUnits;
}

/** Whether a family's models can be priced by tokens; those of transcription either by tokens or by the unit. */
export function canBePricedByTokens(family: ModelFamily): boolean {
  return !isUnitFamily(family) || family === "transcription";
}

/** Whether a family's models write tokens, so that output has a price. */
export function writesTokens(family: ModelFamily): boolean {
  return family === "chat" || family === "transcription";
}

/** The families whose models answer batch lines. */
const batchFamilies = ["chat", "embedding"] as const;

export function isBatchFamily(family: ModelFamily): boolean {
  return batchFamilies.some((batched) => batched === family);
}
