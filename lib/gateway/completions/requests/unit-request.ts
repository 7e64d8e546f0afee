import { countCarried, type PromptEstimate } from "../../providers/prompt-size/estimate-prompt";

/** The prompt estimate of a request without prompt tokens. */
export const withoutPrompt: PromptEstimate = {
  promptTokens: 0,
  countedPromptTokens: 0,
  maxPromptTokens: 0,
  ...countCarried(null),
};

/** A recording's size in tokens, with those of the texts beside it. */
export type RecordingTokens = Required<
  Pick<PromptEstimate, "promptTokens" | "countedPromptTokens" | "maxPromptTokens" | "audioTokens">
>;

/** A request's size in a unit, in millionths: the expected size, and the maximum. */
export interface UnitEstimate {
  readonly likely: number;
  readonly max: number;
}
