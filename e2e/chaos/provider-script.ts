/** What the fault provider does with one call. It travels in the call's last message, so whatever the gateway adds or drops around it. */
export interface ProviderScript {
  /** Names the call in the invoice log. */
  readonly nonce: string;
  readonly promptTokens: number;
  /** Completion tokens, one a word; one word a chunk where it is streamed. */
  readonly completionTokens: number;
  /** The usage reported in place of the true one, each as JSON text; none: no usage is reported. */
  readonly usages?: readonly string[];
  /** Waits after this many words, and at 0 before its headers, until it is let go or the caller leaves. */
  readonly waitAfter?: number;
  /** Milliseconds between two chunks. */
  readonly gapMs?: number;
}

export function scriptMessages(script: ProviderScript) {
  return [{ role: "user", content: JSON.stringify(script) }];
}

/** @throws SyntaxError for a body that carries no script. */
export function readScript(body: string): { script: ProviderScript; isStream: boolean } {
  const { messages, stream } = JSON.parse(body) as { messages: { content: string }[]; stream?: boolean };
  return { script: JSON.parse(messages.at(-1)?.content ?? ""), isStream: stream === true };
}

/** The words of an answer, alike for provider and client. */
export function wordsOf({ nonce, completionTokens }: ProviderScript): string[] {
  return Array.from({ length: completionTokens }, (_, index) => `${nonce}/${index} `);
}

export function trueUsage({ promptTokens, completionTokens }: ProviderScript): string {
  const total_tokens = promptTokens + completionTokens;
  return JSON.stringify({ prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens });
}
