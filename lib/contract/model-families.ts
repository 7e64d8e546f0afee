export const modelFamilies = ["chat", "image", "video", "music", "audio", "embedding"] as const;
export type ModelFamily = (typeof modelFamilies)[number];

/** The families whose models make files, as tasks. */
export const mediaFamilies = ["image", "video", "music"] as const;
export type MediaFamily = (typeof mediaFamilies)[number];

export function isMediaFamily(family: ModelFamily): family is MediaFamily {
  return mediaFamilies.some((media) => media === family);
}

/** What the models of a family can be priced by. */
export const mediaUnits = {
  image: ["image", "megapixel"],
  video: ["second"],
  music: ["second"],
} as const satisfies Readonly<Record<MediaFamily, readonly string[]>>;
export type MediaUnit = (typeof mediaUnits)[MediaFamily][number];

/** Units are counted in millionths, so that a megapixel's are pixels. */
export const PARTS_PER_UNIT = 1_000_000;
