import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { Clock } from "../effects";
import type { Secret } from "../secrets/secret";
import type { Prompt, PromptEstimate } from "./prompt-size/estimate-prompt";
import type { ProviderClient } from "./provider-client";

/** Where a provider is; the built-in one is nowhere. */
export interface ProviderServer {
  /** Without a trailing slash, `/v1` included where the server has one. */
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
  /** Whether it may be at a private address. */
  readonly isTrusted: boolean;
}

/** All that is particular to one kind of provider. */
export interface ProviderKind {
  createClient(server: ProviderServer, clock: Clock): ProviderClient;
  /** The name by which a server is told the most output, where its provider doesn't say. */
  usualOutputLimitField(baseUrl: string): OutputLimitField;
  /** @param contextWindow the most tokens the model reads and writes; null where nobody said. */
  estimatePrompt(prompt: Prompt, contextWindow: number | null): PromptEstimate;
  /** Whether each event of a stream that brings text is one token, so that nothing has to be guessed by its length. */
  readonly isTokenPerEvent: boolean;
}
