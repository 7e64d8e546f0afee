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

/** The columns of `TokenColumns`, as the rows that a statement is given have them. */
export const TOKEN_COLUMN_TYPES = {
  prompt_tokens: "integer",
  completion_tokens: "integer",
  cached_tokens: "integer",
  audio_prompt_tokens: "integer",
  audio_completion_tokens: "integer",
} as const satisfies Record<keyof TokenColumns, "integer">;

export const TOKEN_COLUMNS = Object.keys(TOKEN_COLUMN_TYPES).join(", ");

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

export function toTokenColumns(sums: TokenSums): TokenColumns {
  return {
    prompt_tokens: sums.promptTokens,
    completion_tokens: sums.completionTokens,
    cached_tokens: sums.cachedTokens,
    audio_prompt_tokens: sums.audioPromptTokens,
    audio_completion_tokens: sums.audioCompletionTokens,
  };
}
