import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import type { EmbeddingRequest } from "@/lib/contract/operations/calls/embeddings";
import type { EmbeddingInput } from "../prompt-size/estimate-prompt";
import { readMessageText } from "../read-message-text";

const DEFAULT_DIMENSIONS = 256;

/**
 * The maximum of all vectors together, since they are computed on the event loop. Enough for 2,048 texts at the default
 * dimensions.
 */
export const MAX_NUMBERS = 2_048 * DEFAULT_DIMENSIONS;

export function countEmbeddedNumbers({ input, dimensions }: EmbeddingRequest): number {
  return splitInputs(input).length * (dimensions ?? DEFAULT_DIMENSIONS);
}

/** The sandbox's tokens of one input: one per word, or the number of tokens sent. */
export function countInputWords(input: EmbeddingInput): number {
  return typeof input === "number" ? input : splitWords(input).length;
}

/**
 * Vectors of length 1 by feature hashing: each word adds 1 or −1 in one dimension, so texts with common words are close
 * to each other. Deterministic, and no AI.
 */
export function embed({ model, input, encoding_format, dimensions }: EmbeddingRequest): object {
  const size = dimensions ?? DEFAULT_DIMENSIONS;
  const inputs = splitInputs(input);
  const data = inputs.map((words, index) => {
    const vector = embedWords(words, size);
    const embedding =
      encoding_format === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  const prompt_tokens = inputs.reduce((sum, words) => sum + words.length, 0);
  return { object: "list", data, model, usage: { prompt_tokens, total_tokens: prompt_tokens } };
}

function splitInputs(input: EmbeddingRequest["input"]): readonly (readonly string[])[] {
  const inputs = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  return (inputs as (string | number[])[]).map((one) =>
    typeof one === "string"
      ? splitWords(one).map((word) => word.trim().toLowerCase())
      : one.map((token) => `token ${token}`),
  );
}

function embedWords(words: readonly string[], size: number): Float32Array {
  const vector = new Float32Array(size);
  for (const word of words) {
    const hash = Number(Bun.hash.xxHash32(word));
    const at = (hash >>> 1) % size;
    vector[at] = (vector[at] ?? 0) + (hash & 1 ? 1 : -1);
  }
  const length = Math.hypot(...vector.filter((value) => value !== 0));
  // If the words cancel each other out, the vector still needs a direction.
  if (length === 0) vector[0] = 1;
  else for (let at = 0; at < size; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

/**
 * The sandbox's tokens: words, each with the space that follows it. Joined they give the text without leading space.
 */
export function splitWords(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

/** The sandbox's prompt tokens: one per word, over all messages. */
export function countPromptWords(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + splitWords(readMessageText(message)).length, 0);
}
