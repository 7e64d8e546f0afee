import type { OutputLimitField } from "@/lib/contract/operations/providers";
import type { Clock } from "../effects";
import type { Secret } from "../secrets/secret";
import type { MediaClient } from "./media-client";
import type { EmbeddingInput } from "./prompt-size/estimate-inputs";
import type { Prompt, PromptEstimate } from "./prompt-size/estimate-prompt";
import type { ProviderClient } from "./provider-client";

/** The server of a provider; the built-in one has none. */
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
  /** Absent where providers of this kind make no files. */
  createMediaClient?(server: ProviderServer, clock: Clock): MediaClient;
  /** The field in which a server gets the output limit, unless its provider names one. */
  usualOutputLimitField(baseUrl: string): OutputLimitField;
  /** @param contextWindow the most tokens that the model reads and writes; null where it is not known. */
  estimatePrompt(prompt: Prompt, contextWindow: number | null): PromptEstimate;
  /** @param contextWindow the most tokens of one input; null where it is not known. */
  estimateInputs(inputs: readonly EmbeddingInput[], contextWindow: number | null): PromptEstimate;
  /** Whether each event of a stream that brings text is one token, so that tokens need not be estimated by length. */
  readonly isTokenPerEvent: boolean;
}
