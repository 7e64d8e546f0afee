/**
 * The fault of one sending of a call; a number is the status of the answer. "half-way" means after half of the words.
 */
export type ProviderFault =
  | number
  | "a rest after 502"
  | "redirect"
  | "no completion"
  | "no JSON"
  | "an error"
  | "no end"
  | "an endless line"
  | "a bomb"
  | "brackets"
  | "elements"
  | "an error of brackets"
  | "silent"
  | "silent after its headers"
  | "silent half-way"
  | "a byte now and then"
  | "blanks without end"
  // Faults of the connection, which only the port for broken connections has.
  | "reset"
  | "reset half-way"
  | "no chunk"
  | "no HTTP"
  // Unusual but valid answers.
  | "gzip"
  | "br"
  | "zstd"
  | "small pieces"
  | "carriage returns";

/**
 * What the fault provider does with one call. It is in the call's last message, so it arrives whatever the gateway adds
 * or removes elsewhere.
 */
export interface ProviderScript {
  /** The call's name in the invoice log. */
  readonly nonce: string;
  readonly promptTokens: number;
  /** How many of the prompt's tokens it reads from its cache and writes to it; absent for none. */
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** How many of those that it writes are kept for an hour, and how many of the completion are reasoning. */
  readonly cacheWrite1hTokens?: number;
  readonly reasoningTokens?: number;
  /** How often it ran its search, and the tier that it gave; absent where it tells none. */
  readonly searches?: number;
  readonly tier?: "priority" | "default";
  /** Whether it reports its usage as Anthropic does. */
  readonly isAnthropic?: boolean;
  /** The number of completion tokens. Each is one word, and one chunk of a stream. */
  readonly completionTokens: number;
  /** The reported usages in place of the true one, as JSON texts; empty: no usage is reported. */
  readonly usages?: readonly string[];
  /** After how many words it waits until `/let-go` or until the caller leaves; 0: before its headers. */
  readonly waitAfter?: number;
  /** Milliseconds between chunks. Each chunk then contains the time at which it was sent. */
  readonly gapMs?: number;
  /** Whether it writes as many tokens as the largest number in the request, wherever that is. */
  readonly isGreedy?: boolean;
  /** Whether it reports a usage of one token before the first word, too. */
  readonly isUsageEarly?: boolean;
  /** Whether its chunks contain extra white space. */
  readonly isSpaced?: boolean;
  /** The fault of each sending in turn; further ones have none. */
  readonly faults?: readonly ProviderFault[];
}

export function writeScriptMessages(script: ProviderScript) {
  return [{ role: "user", content: JSON.stringify(script) }];
}

/** @throws SyntaxError for a body without a script. */
export function readScript(body: string): { script: ProviderScript; isStream: boolean } {
  const { messages, stream, ...fields } = JSON.parse(body) as {
    messages: { content: string | { text?: string }[] }[];
    stream?: boolean;
  };
  const content = messages.at(-1)?.content ?? "";
  const text = typeof content === "string" ? content : (content.find((part) => part.text)?.text ?? "");
  const script = JSON.parse(text) as ProviderScript;
  const completionTokens = script.isGreedy ? maxIn(fields) || UNBOUNDED_TOKENS : script.completionTokens;
  return { script: { ...script, completionTokens }, isStream: stream === true };
}

const UNBOUNDED_TOKENS = 1_500;

/** The largest number in a request; 0 without any. */
function maxIn(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "object" || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(maxIn));
}

/** The number of words before a fault in the middle of an answer. */
export function wordsBefore({ completionTokens }: ProviderScript): number {
  return Math.ceil(completionTokens / 2);
}

/** The words of an answer, computed in the same way by the provider and by clients. */
export function listAnswerWords({ nonce, completionTokens }: ProviderScript): string[] {
  return Array.from({ length: completionTokens }, (_, index) => `${nonce}/${index} `);
}

export function countTrueUsage(script: ProviderScript): string {
  const { promptTokens, completionTokens, cachedTokens = 0, cacheWriteTokens = 0 } = script;
  const { cacheWrite1hTokens = 0, reasoningTokens, searches } = script;
  const lifetimes = {
    ephemeral_5m_input_tokens: cacheWriteTokens - cacheWrite1hTokens,
    ephemeral_1h_input_tokens: cacheWrite1hTokens,
  };
  const tools = searches !== undefined && { server_tool_use: { web_search_requests: searches } };
  if (script.isAnthropic) {
    return JSON.stringify({
      ...tools,
      ...(cacheWrite1hTokens > 0 && { cache_creation: lifetimes }),
      ...(reasoningTokens !== undefined && {
        output_tokens_details: { thinking_tokens: reasoningTokens },
      }),
      input_tokens: promptTokens - cachedTokens - cacheWriteTokens,
      cache_read_input_tokens: cachedTokens,
      cache_creation_input_tokens: cacheWriteTokens,
      output_tokens: completionTokens,
    });
  }
  return JSON.stringify({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...tools,
    ...((cachedTokens > 0 || cacheWriteTokens > 0) && {
      prompt_tokens_details: {
        cached_tokens: cachedTokens,
        cache_write_tokens: cacheWriteTokens,
        ...(cacheWrite1hTokens > 0 && { cache_creation_token_details: lifetimes }),
      },
    }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  });
}
