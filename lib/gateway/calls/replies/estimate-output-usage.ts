import type { TokenUsage } from "@/lib/money/charge";
import { MAX_TOKEN_BYTES } from "../../providers/prompt-size/count-least-tokens";
import { estimateWrittenTokens } from "../usage/estimate-written-tokens";
import type { OutputSize } from "./measure-output";

/** Characters of base64: OpenAI streams speech as 16-bit PCM at 24 kHz, a token for 50 ms. */
const SPEECH_LENGTH_PER_TOKEN = 3_200;
/** The length of speech that has as many tokens as a byte of text. */
export const SPEECH_LENGTH_PER_TEXT_BYTE = 800;
/** What Gemini counts for a picture of 1,024 by 1,024 pixels. */
const TOKENS_PER_PICTURE = 1_290;

export type OutputUsage = Pick<TokenUsage, "completionTokens" | "audio">;

/** The usage of output that nobody reported; at most `max` tokens. @param textTokens where they are known better. */
export function estimateOutputUsage(
  { textBytes, speechLength, pictures }: OutputSize,
  max: number,
  textTokens = estimateWrittenTokens(textBytes),
): OutputUsage {
  const speechTokens = Math.min(Math.ceil(speechLength / SPEECH_LENGTH_PER_TOKEN), max);
  const completionTokens = Math.min(textTokens + speechTokens + pictures * TOKENS_PER_PICTURE, max);
  if (speechTokens === 0) return { completionTokens };
  return { completionTokens, audio: { promptTokens: 0, completionTokens: speechTokens } };
}

/**
 * The fewest tokens that this output can have. Pictures and speech have at least one.
 * @param bytesPerByte how many bytes of text were counted for one, at most.
 */
export function countLeastOutput(
  { textBytes, speechLength, pictures }: OutputSize,
  bytesPerByte = 1,
): number {
  const least = Math.ceil(textBytes / (MAX_TOKEN_BYTES * bytesPerByte));
  return Math.max(least, speechLength + pictures > 0 ? 1 : 0);
}
