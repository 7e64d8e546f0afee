import { type CarriedMeasure, carriedMeasures } from "@/lib/contract/calls/rate-limit-table";
import type { HoldDraft } from "./funds";

/** The columns of `carried_media`, by measure. */
export const carriedColumns = {
  images: "images",
  audioMegabytes: "audio_megabytes",
} as const satisfies Readonly<Record<CarriedMeasure, string>>;

export type CarriedColumn = (typeof carriedColumns)[CarriedMeasure];

/** The amounts of a call, all null if it carried no media. */
export type CarriedRow = Record<CarriedColumn, bigint | null>;

export function readCarried(row: CarriedRow): HoldDraft["carried"] {
  const amounts = carriedMeasures.map(
    (measure) => [measure, Number(row[carriedColumns[measure]] ?? 0)] as const,
  );
  const carried = amounts.filter(([, amount]) => amount > 0);
  return carried.length > 0 ? Object.fromEntries(carried) : undefined;
}
