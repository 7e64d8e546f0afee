/** The tokens of a call, or of a row of sums. */
export interface TokenColumns {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly audio_prompt_tokens: number;
  readonly audio_completion_tokens: number;
}

export interface TokenSums {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  audioPromptTokens: number;
  audioCompletionTokens: number;
}

/** The columns of `TokenColumns`, in the order of `listTokens`. */
export const TOKEN_COLUMN_NAMES = [
  "prompt_tokens",
  "completion_tokens",
  "cached_tokens",
  "audio_prompt_tokens",
  "audio_completion_tokens",
] as const satisfies (keyof TokenColumns)[];

export const TOKEN_COLUMNS = TOKEN_COLUMN_NAMES.join(", ");

export const emptyTokens = (): TokenSums => ({
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  audioPromptTokens: 0,
  audioCompletionTokens: 0,
});

export function addTokens(sums: TokenSums, tokens: TokenColumns): void {
  sums.promptTokens += tokens.prompt_tokens;
  sums.completionTokens += tokens.completion_tokens;
  sums.cachedTokens += tokens.cached_tokens;
  sums.audioPromptTokens += tokens.audio_prompt_tokens;
  sums.audioCompletionTokens += tokens.audio_completion_tokens;
}

export function listTokens(sums: TokenSums) {
  return [
    sums.promptTokens,
    sums.completionTokens,
    sums.cachedTokens,
    sums.audioPromptTokens,
    sums.audioCompletionTokens,
  ] as const;
}
