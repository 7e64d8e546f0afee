import type { PromptEstimate } from "../../providers/prompt-size/estimate-prompt";

/** The estimate of a request that has no prompt of tokens. */
export const withoutPrompt: PromptEstimate = {
  promptTokens: 0,
  countedPromptTokens: 0,
  maxPromptTokens: 0,
  images: 0,
  audioMegabytes: 0,
};

/** What a request comes to in a unit, in millionths: expected, and at most. */
export interface UnitEstimate {
  readonly likely: number;
  readonly max: number;
}
