/** What is summed of the calls of a row. */
interface SummedCalls {
  calls: number;
  amount: bigint;
  max_amount: bigint;
  max_duration_ms: number;
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens: number;
  /** How many of the tokens are audio; 0 for calls that were summed before these columns were added. */
  audio_prompt_tokens: number;
  audio_completion_tokens: number;
  /** A `Histogram` of completed calls. */
  durations: string;
  first_bytes: string;
}

/**
 * A column of `call_sums` by which sums are also stored on their own; `key_id` is a key, or a member who called in a
 * session.
 */
export type SumDimension = "project_id" | "key_id" | "model" | "provider";

/** The tables of sums of calls, which the reporting thread writes; see `schema.ts` for units. */
export interface SumTables {
  /** A limit's highest use, and its number of refusals, in an hour or a day. */
  limit_uses: {
    project_id: string;
    width_ms: number;
    start_ms: number;
    model: string;
    field: string;
    peak: number;
    refusals: number;
  };
  /** One row: refusals before this minute have been added to the hours and days. */
  limit_uses_end: { one: 1; minute_ms: number };
  /** Sums of calls by minute, hour and day, see `sumCalls`. `refused_by` is '' for calls that weren't refused. */
  call_sums: SummedCalls & {
    width_ms: number;
    start_ms: number;
    project_id: string;
    key_id: string;
    model: string;
    outcome: string;
    status: number;
    refused_by: string;
    /** '' if no provider was called, or it wasn't recorded. */
    provider: string;
  };
  /** Sums over all projects, keys and models. */
  call_totals: SummedCalls & {
    width_ms: number;
    start_ms: number;
    outcome: string;
    status: number;
    refused_by: string;
  };
  /**
   * One row: the last entry that the sums include, and the end of the last minute whose sums were deleted or left out.
   */
  call_sums_end: { one: 1; seq: number; minutes_deleted_until_ms: number };
  /** Sums of calls by hour and day and by one column, see `foldDimensions`. */
  sums_by_dimension: {
    dimension: SumDimension;
    width_ms: number;
    start_ms: number;
    value: string;
    requests: number;
    errors: number;
    amount: bigint;
    prompt_tokens: number;
    completion_tokens: number;
    cached_tokens: number;
    audio_prompt_tokens: number;
    audio_completion_tokens: number;
  };
  /** The `Histogram`s of completed calls. Without a row, there are none. */
  latencies_by_dimension: {
    dimension: SumDimension;
    width_ms: number;
    start_ms: number;
    value: string;
    durations: string;
    first_bytes: string;
  };
  /**
   * The time before which the sums by dimension of hours, and of days, contain all calls of `call_sums`, and how often
   * calls were added to them since.
   */
  sums_by_dimension_end: { width_ms: number; until_ms: number; late_additions: number };
  /** Uncharged calls that the sums don't include yet. */
  unsummed_calls: { id: string };
}

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
