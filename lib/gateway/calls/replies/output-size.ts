import { isObject } from "@/lib/contract/json-value";
import type { TokenUsage } from "@/lib/money/charge";
import { MAX_TOKEN_BYTES } from "../../providers/prompt-size/estimate-prompt";

/** The size of a model's output, by the price of its tokens. */
export interface OutputSize {
  readonly textBytes: number;
  /** The length of speech in characters of base64. */
  readonly speechLength: number;
  readonly pictures: number;
}

export const NO_OUTPUT: OutputSize = { textBytes: 0, speechLength: 0, pictures: 0 };

/** What a model wrote for one choice: its message, or the delta of one. */
type Written = Readonly<Record<string, unknown>>;

/** The size of the messages of a completion's choices, or of the deltas of a chunk's. */
export function measureOutput(choices: unknown, part: "message" | "delta"): OutputSize {
  if (!Array.isArray(choices)) return NO_OUTPUT;
  let [textBytes, speechLength, pictures] = [0, 0, 0];
  for (const choice of choices) {
    const written: unknown = (choice as Written | null)?.[part];
    if (!isObject(written)) continue;
    textBytes += measureText(written);
    speechLength += isObject(written.audio) ? measureString(written.audio.data) : 0;
    pictures += countPictures(written);
  }
  return { textBytes, speechLength, pictures };
}

/**
 * The size in bytes of the text that a model wrote: content, refusal, reasoning, tool calls, and the transcript of
 * speech. Everything else that providers add is no text: media, citations, signatures, a second copy of the reasoning.
 */
function measureText(written: Written): number {
  const { content, refusal, reasoning, reasoning_content, tool_calls, function_call, audio } = written;
  return (
    measureContent(content) +
    measureString(refusal) +
    // These are two names for one thing; some servers send both.
    Math.max(measureString(reasoning), measureString(reasoning_content)) +
    measureToolCalls(tool_calls) +
    measureCalled(function_call) +
    (isObject(audio) ? measureString(audio.transcript) : 0)
  );
}

/** The size of a message's blocks, or of the deltas of one. What a server's tool found is no output. */
export function measureBlocks(blocks: unknown): OutputSize {
  const textBytes = (Array.isArray(blocks) ? blocks : []).reduce<number>((sum, block: unknown) => {
    if (!isObject(block)) return sum;
    const { text, thinking, partial_json, name, input } = block;
    const written = [text, thinking, partial_json, name].map(measureString);
    // A stream's block begins with an empty input.
    const call = isObject(input) && Object.keys(input).length > 0 ? measureArguments(input) : 0;
    return written.reduce((all, bytes) => all + bytes, sum + call);
  }, 0);
  return textBytes === 0 ? NO_OUTPUT : { ...NO_OUTPUT, textBytes };
}

/** Pictures in a list of their own, as OpenRouter sends Gemini's, or among the parts of the content. */
function countPictures({ images, content }: Written): number {
  const parts = Array.isArray(content) ? content : [];
  const listed = Array.isArray(images) ? images.length : 0;
  return parts.reduce<number>((sum, part: unknown) => sum + Number(isPicture(part)), listed);
}

function isPicture(part: unknown): boolean {
  return isObject(part) && (part.type === "image_url" || part.type === "output_image");
}

/** A text, or parts with a text. Mistral has parts of reasoning, which have parts of their own. */
function measureContent(content: unknown): number {
  if (!Array.isArray(content)) return measureString(content);
  return content.reduce<number>((sum, part: unknown) => {
    if (!isObject(part)) return sum;
    return sum + measureString(part.text) + measureString(part.refusal) + measureContent(part.thinking);
  }, 0);
}

function measureToolCalls(calls: unknown): number {
  if (!Array.isArray(calls)) return 0;
  return calls.reduce<number>(
    (sum, call: unknown) =>
      isObject(call) ? sum + measureCalled(call.function) + measureCalled(call.custom) : sum,
    0,
  );
}

/** The call of a function, or of a custom tool, which has an `input` instead of arguments. */
function measureCalled(called: unknown): number {
  if (!isObject(called)) return 0;
  return measureString(called.name) + measureArguments(called.arguments) + measureString(called.input);
}

/** A text, or the object that some servers send in its place. */
function measureArguments(value: unknown): number {
  return isObject(value) || Array.isArray(value)
    ? measureString(JSON.stringify(value))
    : measureString(value);
}

function measureString(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0;
}

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

const BYTES_PER_TOKEN = 4;

/** The tokens of output whose usage nobody reported, by its length in bytes; at most `max`. */
export function estimateWrittenTokens(bytes: number, max = Number.POSITIVE_INFINITY): number {
  return Math.min(Math.ceil(bytes / BYTES_PER_TOKEN), max);
}
