import { countLeastInputTokens } from "./count-least-tokens";
import { countCarried, type PromptEstimate } from "./estimate-prompt";
import { computeMaxTextTokens, estimateTextTokens } from "./text-tokens";

export type { PromptEstimate };

/** A text to embed, or a number of tokens. */
export type EmbeddingInput = string | number;

/**
 * Estimates the tokens of inputs to embed: texts by their characters, tokens by their count.
 * @param contextWindow the maximum tokens of one input; null if it is unknown.
 */
export function estimateInputs(
  inputs: readonly EmbeddingInput[],
  contextWindow: number | null,
): PromptEstimate {
  const within = (tokens: number) => Math.min(tokens, contextWindow ?? tokens);
  let promptTokens = 0;
  let maxPromptTokens = 0;
  let minPromptTokens = 0;
  for (const input of inputs) {
    const isText = typeof input === "string";
    const likely = isText ? Math.max(1, Math.ceil(estimateTextTokens(input))) : input;
    promptTokens += within(likely);
    minPromptTokens += isText ? countLeastInputTokens(input) : 1;
    maxPromptTokens += within(isText ? Math.max(likely, computeMaxTextTokens(input)) : input);
  }
  const bounds = { maxPromptTokens, minPromptTokens };
  const size = { promptTokens, countedPromptTokens: promptTokens, ...bounds, ...countCarried(null) };
  return inputs.every((input) => typeof input === "string") ? { ...size, isTextAlone: true } : size;
}
