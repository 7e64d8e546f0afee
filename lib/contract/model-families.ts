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

/** The families whose models are priced by tokens. */
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

/** The families whose models answer batch lines. */
export const batchFamilies = ["chat", "embedding"] as const;

export function isBatchFamily(family: ModelFamily): boolean {
  return batchFamilies.some((batched) => batched === family);
}

/** Units are counted in millionths, so that one part of a megapixel is a pixel. */
export const PARTS_PER_UNIT = 1_000_000;
