/** What goes wrong with one sending of a call; a number is a status it is answered with. What is cut short is cut half-way. */
export type ProviderFault =
  | number
  | "redirect"
  | "no completion"
  | "no JSON"
  | "an error"
  | "no end"
  | "an endless line"
  | "a bomb"
  | "silent"
  | "silent after its headers"
  | "silent half-way"
  | "a byte now and then"
  | "blanks without end"
  // Those of the transport, which only the port for broken connections knows.
  | "reset"
  | "reset half-way"
  | "no chunk"
  | "no HTTP"
  // Those that are odd, and right.
  | "gzip"
  | "br"
  | "zstd"
  | "small pieces"
  | "carriage returns";

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
  /** What goes wrong with each sending in turn; with those that follow, nothing. */
  readonly faults?: readonly ProviderFault[];
}

export function scriptMessages(script: ProviderScript) {
  return [{ role: "user", content: JSON.stringify(script) }];
}

/** @throws SyntaxError for a body that carries no script. */
export function readScript(body: string): { script: ProviderScript; isStream: boolean } {
  const { messages, stream } = JSON.parse(body) as { messages: { content: string }[]; stream?: boolean };
  return { script: JSON.parse(messages.at(-1)?.content ?? ""), isStream: stream === true };
}

/** How many words come before what breaks half-way. */
export function wordsBefore({ completionTokens }: ProviderScript): number {
  return Math.ceil(completionTokens / 2);
}

/** The words of an answer, alike for provider and client. */
export function wordsOf({ nonce, completionTokens }: ProviderScript): string[] {
  return Array.from({ length: completionTokens }, (_, index) => `${nonce}/${index} `);
}

export function trueUsage({ promptTokens, completionTokens }: ProviderScript): string {
  const total_tokens = promptTokens + completionTokens;
  return JSON.stringify({ prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens });
}
