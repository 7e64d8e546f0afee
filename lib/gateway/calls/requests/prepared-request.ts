import type { CallProtocol } from "@/lib/contract/calls/provider-protocols";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";
import type { StreamedBody } from "../../http/outbound/server-reply";
import type { OrderInput } from "../../providers/media-client";
import type { PromptEstimate } from "../../providers/prompt-size/estimate-prompt";
import type { PromptTexts } from "../../providers/prompt-size/prompt-texts";
import type { Endpoint } from "../../providers/provider-client";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import type { ChatReplyFacts } from "../anthropic/read-chat-request";
import type { MessageFacts } from "../anthropic/translate-request";
import type { Terms } from "./build-upstream-body";
import type { Counting } from "./counting";

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

/** A parsed request, by what answers it. */
export type PreparedRequest = CompletionRequest | OrderRequest;

interface ParsedRequest {
  readonly endpoint: Endpoint;
  readonly fields: RequestFields;
  /** SHA-256 of the body and its format; null where it was not needed. */
  readonly bodyHash: string | null;
  /** The names of what was sent and was not passed on, as far as it is translated. */
  readonly leftOut?: readonly string[] | undefined;
  /** Frees the text, and deletes uploaded files. */
  release(): void;
}

/** A request that a provider answers at once. The text of a long one stays on another thread. */
export interface CompletionRequest extends ParsedRequest {
  readonly answeredBy: "provider";
  /** The protocol that a call of chat is written in, which a provider may speak, too; absent for other calls. */
  readonly protocol?: CallProtocol;
  /** What a chat completion needs to become a reply of Anthropic's API; absent until its request is translated. */
  readonly message?: MessageFacts | undefined;
  /** What a message needs to become a chat completion; absent until a chat is translated to one. */
  readonly chatReply?: ChatReplyFacts | undefined;
  /** The form of the vectors that were asked for; absent where they may have types of their own. */
  readonly embeddingForm?: EmbeddingForm | undefined;
  /** The request itself, if it is a short chat, so that a model that makes files can read its order in it. */
  readonly chat?: ChatCompletionRequest;
  /** @throws Refusal 503 once the text is lost. */
  estimate(counting: Counting): RequestEstimate | Promise<RequestEstimate>;
  /** The texts to count tokens of; null where tokens were sent, and absent where the texts are on another thread. */
  promptTexts?(): PromptTexts | null;
  /** The body for the provider. @throws Refusal 503 once the text is lost. */
  upstream(terms: Terms): string | StreamedBody | Promise<Uint8Array<ArrayBuffer>>;
}

/** A request that a task carries out. */
export interface OrderRequest extends ParsedRequest {
  readonly answeredBy: "task";
  /** Null if it is longer than a model that makes files may be sent. */
  readonly order: ChatCompletionRequest | null;
  /** The pictures to edit; absent for other orders. */
  readonly pictures?: OrderInputs;
}

/** The pictures of an order. They are on disk under the id of its request. */
export interface OrderInputs {
  readonly files: readonly OrderInput[];
  /** Leaves them to the task, which deletes them at its end. */
  keep(): void;
}

/** A request's estimated size: of its prompt, and in the unit of the model's price. */
export type RequestEstimate = PromptEstimate &
  Pick<
    AdmissionRequest,
    "units" | "maxUnits" | "holdsWholeOutput" | "cacheWrite" | "isPriority" | "toolCalls"
  >;

/** Whether a provider answers a call at once. Its model may still be one that makes files. */
export function isCompletion<Call extends { readonly request: PreparedRequest }>(
  call: Call,
): call is Call & { readonly request: CompletionRequest } {
  return call.request.answeredBy === "provider";
}
