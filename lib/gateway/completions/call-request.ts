import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";
import type { ProviderKindName } from "@/lib/contract/provider-kinds";
import type { PromptEstimate } from "../providers/prompt-size/estimate-prompt";
import { providerKinds } from "../providers/provider-kinds";
import type { ChatRequest } from "./chat-request";
import { type Terms, upstreamBody } from "./upstream-body";

/** What is priced and routed by besides the prompt. */
export type RequestFields = Pick<
  ChatCompletionRequest,
  "model" | "stream" | "stream_options" | "max_tokens" | "max_completion_tokens" | "n"
>;

/** Who reads a prompt. */
export interface PromptReader {
  readonly kind: ProviderKindName;
  /** The most tokens that the model reads and writes; null where nobody said. */
  readonly contextWindow: number | null;
}

/** A chat request as a call asks for it, wherever its text is kept: a long one is kept by another thread. */
export interface CallRequest {
  readonly fields: RequestFields;
  /** SHA-256 of the body and how it is to be understood; null where nobody asked for it. */
  readonly bodyHash: string | null;
  /** Whether the caller asked to be shown what the model thinks. */
  readonly showsThinking: boolean;
  /** The prompt's size as its reader counts it. @throws Refusal 503 once the text is lost. */
  estimate(reader: PromptReader): PromptEstimate | Promise<PromptEstimate>;
  /** What goes to the provider, by `upstreamBody`. @throws Refusal 503 once the text is lost. */
  upstream(terms: Terms): string | Promise<Uint8Array<ArrayBuffer>>;
  /** The text is needed no longer. */
  release(): void;
}

/** A request whose text is here. */
export class HeldRequest implements CallRequest {
  constructor(
    private readonly request: ChatRequest,
    readonly bodyHash: string | null = null,
    readonly showsThinking = false,
  ) {}

  get fields(): RequestFields {
    return this.request.value;
  }

  estimate({ kind, contextWindow }: PromptReader): PromptEstimate {
    return providerKinds[kind].estimatePrompt(this.request, contextWindow);
  }

  upstream(terms: Terms): string {
    return upstreamBody(this.request, terms);
  }

  release(): void {}
}
