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
  | "brackets"
  | "elements"
  | "an error of brackets"
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
  /** Milliseconds between two chunks, each of which then says when it was sent. */
  readonly gapMs?: number;
  /** Writes as much as any field of the request allows, whatever its name and wherever it stands. */
  readonly isGreedy?: boolean;
  /** Reports one token before the first word, and nothing after. */
  readonly isUsageEarly?: boolean;
  /** Writes its chunks with white space in them. */
  readonly isSpaced?: boolean;
  /** What goes wrong with each sending in turn; with those that follow, nothing. */
  readonly faults?: readonly ProviderFault[];
}

export function scriptMessages(script: ProviderScript) {
  return [{ role: "user", content: JSON.stringify(script) }];
}

/** @throws SyntaxError for a body that carries no script. */
export function readScript(body: string): { script: ProviderScript; isStream: boolean } {
  const { messages, stream, ...fields } = JSON.parse(body) as {
    messages: { content: string | { text?: string }[] }[];
    stream?: boolean;
  };
  const content = messages.at(-1)?.content ?? "";
  const text = typeof content === "string" ? content : (content.find((part) => part.text)?.text ?? "");
  const script = JSON.parse(text) as ProviderScript;
  const completionTokens = script.isGreedy ? mostOf(fields) || UNBOUNDED_TOKENS : script.completionTokens;
  return { script: { ...script, completionTokens }, isStream: stream === true };
}

const UNBOUNDED_TOKENS = 1_500;

/** The greatest number in a request; 0 where there is none. */
function mostOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "object" || value === null) return 0;
  return Math.max(0, ...Object.values(value).map(mostOf));
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
