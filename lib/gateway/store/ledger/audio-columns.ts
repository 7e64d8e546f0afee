import { toNano } from "@/lib/money/amount";
import type { AudioPriceSnapshot, AudioTokens, PriceSnapshot, TokenUsage } from "@/lib/money/charge";

interface StoredPrice {
  /** The amounts × 10^9, as text. */
  readonly input_per_1m: string;
  readonly output_per_1m: string;
}

/** The column `audio` of a hold: its prices of audio as JSON; null where it has none. */
export function writeAudioPrice({ audio }: PriceSnapshot): string | null {
  return audio ? JSON.stringify(storedPrice(audio)) : null;
}

export function readAudioPrice(column: string | null): Pick<PriceSnapshot, "audio"> {
  if (column === null) return {};
  const { input_per_1m, output_per_1m } = JSON.parse(column) as StoredPrice;
  return { audio: { inputPer1m: toNano(BigInt(input_per_1m)), outputPer1m: toNano(BigInt(output_per_1m)) } };
}

/** The column `audio` of a charge: prices and tokens of audio as JSON; null where none was charged. */
export function writeAudio({ audio: price }: PriceSnapshot, { audio: tokens }: TokenUsage): string | null {
  if (!price || !tokens) return null;
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = tokens;
  return JSON.stringify({ prompt_tokens, completion_tokens, ...storedPrice(price) });
}

export function readAudioTokens(column: string | null): { readonly audio?: AudioTokens } {
  if (column === null) return {};
  const stored = JSON.parse(column) as Readonly<Record<"prompt_tokens" | "completion_tokens", number>>;
  return { audio: { promptTokens: stored.prompt_tokens, completionTokens: stored.completion_tokens } };
}

function storedPrice({ inputPer1m, outputPer1m }: AudioPriceSnapshot): StoredPrice {
  return { input_per_1m: String(inputPer1m), output_per_1m: String(outputPer1m) };
}
