/** One answer of the sandbox, before it is written whole or as a stream. */
export interface Answer {
  readonly head: { id: string; created: number; model: string; system_fingerprint: string };
  /** The words of each choice. */
  readonly choices: readonly (readonly string[])[];
  readonly finishReason: "stop" | "length";
  readonly usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  readonly wantsUsage: boolean;
}

/** Waits, or rejects with the signal's reason as soon as it aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;
