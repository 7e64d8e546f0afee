import { carriedBy, type PromptEstimate } from "./estimate-prompt";
import { estimateTextTokens, mostTextTokens } from "./text-tokens";

export type { PromptEstimate };

/** A text to be embedded, or the number of tokens that it was sent as. */
export type EmbeddingInput = string | number;

/**
 * Estimates what is to be embedded: texts by their characters, tokens by their number.
 * @param contextWindow the most tokens of one input; null where it is not known.
 */
export function estimateInputs(
  inputs: readonly EmbeddingInput[],
  contextWindow: number | null,
): PromptEstimate {
  const within = (tokens: number) => Math.min(tokens, contextWindow ?? tokens);
  let promptTokens = 0;
  let mostPromptTokens = 0;
  for (const input of inputs) {
    const isText = typeof input === "string";
    const likely = isText ? Math.max(1, Math.ceil(estimateTextTokens(input))) : input;
    promptTokens += within(likely);
    mostPromptTokens += within(isText ? Math.max(likely, mostTextTokens(input)) : input);
  }
  return { promptTokens, countedPromptTokens: promptTokens, mostPromptTokens, ...carriedBy(null) };
}
