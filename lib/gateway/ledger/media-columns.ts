import { type CarriedMeasure, carriedMeasures } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import type { AudioPriceSnapshot, AudioTokens, PriceSnapshot, TokenUsage } from "@/lib/money/charge";
import type { HoldDraft } from "./funds";

interface StoredPrice {
  /** The amounts × 10^9, as text. */
  readonly input_per_1m: string;
  readonly output_per_1m: string;
}

/** The column `audio` of a hold: its prices of audio as JSON; null if it has none. */
export function writeAudioPrice({ audio }: PriceSnapshot): string | null {
  return audio ? JSON.stringify(toStoredPrice(audio)) : null;
}

export function readAudioPrice(column: string | null): Pick<PriceSnapshot, "audio"> {
  if (column === null) return {};
  const { input_per_1m, output_per_1m } = JSON.parse(column) as Partial<StoredPrice>;
  if (input_per_1m === undefined || output_per_1m === undefined) return {};
  return { audio: { inputPer1m: toNano(BigInt(input_per_1m)), outputPer1m: toNano(BigInt(output_per_1m)) } };
}

/**
 * The column `audio` of a charge: tokens of audio, and their prices if they have any, as JSON; null without such
 * tokens.
 */
export function writeAudio({ audio: price }: PriceSnapshot, { audio: tokens }: TokenUsage): string | null {
  if (!tokens) return null;
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = tokens;
  return JSON.stringify({ prompt_tokens, completion_tokens, ...(price && toStoredPrice(price)) });
}

export function readAudioTokens(column: string | null): { readonly audio?: AudioTokens } {
  if (column === null) return {};
  const tokens = JSON.parse(column) as Readonly<Record<"prompt_tokens" | "completion_tokens", number>>;
  return { audio: { promptTokens: tokens.prompt_tokens, completionTokens: tokens.completion_tokens } };
}

function toStoredPrice({ inputPer1m, outputPer1m }: AudioPriceSnapshot): StoredPrice {
  return { input_per_1m: String(inputPer1m), output_per_1m: String(outputPer1m) };
}

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
