export const modelFamilies = ["chat", "image", "video", "music", "audio", "embedding", "moderation"] as const;
export type ModelFamily = (typeof modelFamilies)[number];

/** The families whose models are called at an endpoint, and priced by tokens. */
export const tokenFamilies = ["chat", "embedding", "moderation"] as const;

export function isTokenFamily(family: ModelFamily): boolean {
  return tokenFamilies.some((priced) => priced === family);
}

/** The families whose models make files, in tasks. */
export const mediaFamilies = ["image", "video", "music"] as const;
export type MediaFamily = (typeof mediaFamilies)[number];

export function isMediaFamily(family: ModelFamily): family is MediaFamily {
  return mediaFamilies.some((media) => media === family);
}

/** The possible price units of a family's models. */
export const mediaUnits = {
  image: ["image", "megapixel"],
  video: ["second"],
  music: ["second"],
} as const satisfies Readonly<Record<MediaFamily, readonly string[]>>;
export type MediaUnit = (typeof mediaUnits)[MediaFamily][number];

/** Units are counted in millionths, so that one part of a megapixel is a pixel. */
export const PARTS_PER_UNIT = 1_000_000;
