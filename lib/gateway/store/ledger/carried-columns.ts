import type { CarriedMeasure } from "@/lib/contract/rate-limit-table";

/** The columns of `carried_media`, by measure. */
export const carriedColumns = {
  images: "images",
  audioMegabytes: "audio_megabytes",
} as const satisfies Readonly<Record<CarriedMeasure, string>>;

export type CarriedColumn = (typeof carriedColumns)[CarriedMeasure];
