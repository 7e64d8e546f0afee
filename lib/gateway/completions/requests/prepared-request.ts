import type { PriceUnit } from "@/lib/contract/model-families";
import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";
import type { ProviderKindName } from "@/lib/contract/provider-kinds";
import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/provider-directory";
import type { StreamedBody } from "../../outbound/server-reply";
import type { OrderInput } from "../../providers/media-client";
import type { PromptEstimate } from "../../providers/prompt-size/estimate-prompt";
import type { Endpoint } from "../../providers/provider-client";
import { findAnswerKind } from "../../providers/provider-kinds";
import { buildUpstreamBody, type Terms } from "./build-upstream-body";
import type { ChatRequest } from "./chat-request";
import type { RecordingTokens, UnitEstimate } from "./unit-request";

/** The request's fields, besides the prompt, that decide its price and route. */
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

/** How a model's prompts are counted. */
export interface PromptCounting {
  readonly kind: ProviderKindName;
  /** The maximum tokens of prompt and output; null where it is unknown. */
  readonly contextWindow: number | null;
}

/** The pictures of an order. They are on disk under the id of its request. */
export interface OrderInputs {
  readonly files: readonly OrderInput[];
  /** Leaves them to the task, which deletes them at its end. */
  keep(): void;
}

/** A parsed request. The text of a long one stays on another thread. */
export interface PreparedRequest {
  readonly endpoint: Endpoint;
  readonly fields: RequestFields;
  /** SHA-256 of the body and its format; null where it was not needed. */
  readonly bodyHash: string | null;
  /** Whether the caller wants to see the model's thinking. */
  readonly showsThinking: boolean;
  /** Whether it has `prompt` instead of messages. */
  readonly lacksMessages: boolean;
  /** The complete short request; null where another thread keeps it. */
  readonly whole: ChatCompletionRequest | null;
  /** Only in edits. */
  readonly pictures?: OrderInputs;
  /** The prompt's size. @throws Refusal 503 once the text is lost. */
  estimate(counting: PromptCounting): PromptEstimate | Promise<PromptEstimate>;
  /** Its size, for a model priced by this unit. Absent for requests priced by tokens. */
  units?(unit: PriceUnit): UnitEstimate;
  /** A recording's size, for a model priced by tokens. Absent for other requests. */
  recordingTokens?(): RecordingTokens;
  /** The body for the provider. @throws Refusal 503 once the text is lost. */
  upstream(terms: Terms): string | StreamedBody | Promise<Uint8Array<ArrayBuffer>>;
  /** Frees the text, and deletes uploaded files. */
  release(): void;
}

/** A chat request whose text stays on this thread. */
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

  estimate({ kind, contextWindow }: PromptCounting): PromptEstimate {
    return findAnswerKind(kind).estimatePrompt(this.request, contextWindow);
  }

  upstream(terms: Terms): string {
    return buildUpstreamBody(this.request, terms);
  }

  release(): void {}
}

/** How a model's prompts are counted: as the first provider of its routes does. */
export function findPromptCounting(
  directory: Pick<ProviderDirectory, "find">,
  { routes, contextWindow }: Pick<CatalogueModel, "routes" | "contextWindow">,
): PromptCounting {
  const provider = routes[0] && directory.find(routes[0].provider);
  return { kind: provider?.kind ?? "openai", contextWindow };
}
