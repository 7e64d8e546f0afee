import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";
import type { ProviderKindName } from "@/lib/contract/provider-kinds";
import type { PromptEstimate } from "../providers/prompt-size/estimate-prompt";
import type { Endpoint } from "../providers/provider-client";
import { providerKinds } from "../providers/provider-kinds";
import type { ChatRequest } from "./chat-request";
import { type Terms, upstreamBody } from "./upstream-body";

/** The fields of a request that decide its price and route, besides the prompt. */
export type RequestFields = Pick<
  ChatCompletionRequest,
  | "model"
  | "stream"
  | "stream_options"
  | "max_tokens"
  | "max_completion_tokens"
  | "n"
  | "temperature"
  | "callback_url"
>;

/** How a provider counts a prompt. */
export interface PromptReader {
  readonly kind: ProviderKindName;
  /** The most tokens that the model reads and writes; null where it is not known. */
  readonly contextWindow: number | null;
}

/** A parsed request. Another thread keeps the text of a long one. */
export interface PreparedRequest {
  readonly endpoint: Endpoint;
  readonly fields: RequestFields;
  /** SHA-256 of the body and its format; null where it was not requested. */
  readonly bodyHash: string | null;
  /** Whether the caller asked to be shown what the model thinks. */
  readonly showsThinking: boolean;
  /** Whether `prompt` stands instead of messages. */
  readonly lacksMessages: boolean;
  /** All of a short request; null where another thread keeps it. */
  readonly whole: ChatCompletionRequest | null;
  /** The prompt's size as its reader counts it. @throws Refusal 503 once the text is lost. */
  estimate(reader: PromptReader): PromptEstimate | Promise<PromptEstimate>;
  /** The body for the provider, made by `upstreamBody`. @throws Refusal 503 once the text is lost. */
  upstream(terms: Terms): string | Promise<Uint8Array<ArrayBuffer>>;
  /** Frees the text. */
  release(): void;
}

/** A chat request whose text this thread keeps. */
export class HeldRequest implements PreparedRequest {
  readonly endpoint = "chat/completions";

  constructor(
    private readonly request: ChatRequest,
    readonly bodyHash: string | null = null,
    readonly showsThinking = false,
  ) {}

  get fields(): RequestFields {
    return this.request.value;
  }

  get whole(): ChatCompletionRequest {
    return this.request.value;
  }

  get lacksMessages(): boolean {
    return this.request.lacksMessages === true;
  }

  estimate({ kind, contextWindow }: PromptReader): PromptEstimate {
    return providerKinds[kind].estimatePrompt(this.request, contextWindow);
  }

  upstream(terms: Terms): string {
    return upstreamBody(this.request, terms);
  }

  release(): void {}
}
