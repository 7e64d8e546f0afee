import type { PriceUnit } from "@/lib/contract/calls/model-families";
import type {
  OmittableField,
  OutputLimitField,
  ProviderKindName,
  ProviderProtocol,
} from "@/lib/contract/calls/provider-protocols";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import type { EmbeddingForm } from "@/lib/contract/operations/calls/embeddings";
import type { StreamedBody } from "../../http/outbound/server-reply";
import type { CatalogueModel } from "../../models/catalogue";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import type { AnswerKind, OrderInput } from "../../providers/media-client";
import type { PromptEstimate, PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import type { Endpoint } from "../../providers/provider-client";
import { findAnswerKind } from "../../providers/provider-kinds";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { invalid, type Refusal } from "../../refusal";
import type { ChatReplyFacts } from "../anthropic/read-chat-request";
import type { MessageFacts } from "../anthropic/translate-request";
import type { ResponseFacts } from "../responses/response-facts";
import type { FilledPrompt } from "../responses/stored-prompt";
import type { Turn } from "../responses/turn";
import { type FeaturePrices, findFeaturePrices } from "./priced-fields";

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
> & {
  /** The saved prompt that a response was filled with; absent for none. */
  readonly savedPrompt?: Pick<FilledPrompt, "id" | "version">;
};

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
  readonly protocol?: ProviderProtocol;
  /** What a chat completion needs to become a reply of Anthropic's API; absent until its request is translated. */
  readonly message?: MessageFacts | undefined;
  /** What a chat completion needs to become a response; absent until its request is translated. */
  readonly response?: ResponseFacts | undefined;
  /** What a message needs to become a chat completion; absent until a chat is translated to one. */
  readonly chatReply?: ChatReplyFacts | undefined;
  /** What is kept of it with its response; absent for nothing. */
  readonly turn?: Turn | undefined;
  /** The session that its body names or shows; null or absent for none. */
  readonly session?: string | null;
  /** The account or server that alone can read a part of it, as in `findMaker`; null or absent for none. */
  readonly madeBy?: string | null;
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

/** The parts of the body that the route and the hold determine. */
export interface Terms {
  /** The protocol in which the provider is asked. */
  readonly protocol: ProviderProtocol;
  /** The provider's address. */
  readonly baseUrl: string;
  /** The account there, which alone can read what it encrypted. */
  readonly account: string;
  /** The model's name at the provider. */
  readonly model: string;
  /** The output limit of one choice, null for none, and the request field for it. */
  readonly maxTokens: number | null;
  readonly outputLimitField: OutputLimitField;
  /** Fields of the gateway that the provider refuses. */
  readonly leftOut: readonly OmittableField[];
  /** Whether calls that the provider hasn't signed get the word that it takes in place of a signature. */
  readonly skipsSignatures?: boolean;
}

/** How a model's requests are counted. */
export interface Counting {
  /** The kinds of the providers that may answer, in the order of the model's routes. */
  readonly kinds: readonly ProviderKindName[];
  /** Whether one of them speaks Anthropic's messages, so that a message may be passed on as it is. */
  readonly speaksMessages: boolean;
  /** Whether one of them speaks responses, so that a response may be passed on as it is; absent if none does. */
  readonly speaksResponses?: boolean;
  /** The maximum tokens of prompt and output; null where it is unknown. */
  readonly contextWindow: number | null;
  /** The unit of the model's price; null for a price by tokens. */
  readonly unit: PriceUnit | null;
  /** What the model has prices for beside its tokens; absent for nothing. */
  readonly features?: FeaturePrices;
  /** Whether tools that a provider would run without a price are refused, in place of leaving them out. */
  readonly refusesHostedTools?: boolean;
}

interface CountingContext {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly projectCache: { find(id: string): { readonly refusesHostedTools: boolean } | undefined };
}

/** @param projectId the project whose rules hold; null where nothing more is refused. */
export function findCounting(
  { directory, projectCache }: CountingContext,
  model: Pick<CatalogueModel, "routes" | "contextWindow" | "unitPrice" | "price">,
  projectId: string | null,
): Counting {
  const { routes, contextWindow, unitPrice, price } = model;
  const kinds: ProviderKindName[] = [];
  let speaksMessages = false;
  let speaksResponses = false;
  for (const { provider } of routes) {
    const { kind, protocols } = directory.find(provider) ?? {};
    if (kind && !kinds.includes(kind)) kinds.push(kind);
    speaksMessages ||= protocols?.includes("messages") ?? false;
    speaksResponses ||= protocols?.includes("responses") ?? false;
  }
  const features = price?.classes && { features: findFeaturePrices(price.classes) };
  const unit = unitPrice?.unit ?? null;
  const refusesHostedTools = projectId !== null && projectCache.find(projectId)?.refusesHostedTools === true;
  return { kinds, speaksMessages, speaksResponses, contextWindow, unit, refusesHostedTools, ...features };
}

/**
 * Estimates a prompt as the first of the kinds does. The bounds are those of the kinds that count most and least, since
 * any of them may answer.
 */
export function estimateForKinds(
  { kinds: [first = "openai", ...others] }: Counting,
  estimate: (kind: AnswerKind) => PromptEstimate,
): PromptEstimate {
  const size = estimate(findAnswerKind(first));
  if (others.length === 0) return size;
  const sizes = [size, ...others.map((kind) => estimate(findAnswerKind(kind)))];
  return {
    ...size,
    isTextAlone: sizes.every((one) => one.isTextAlone) ? true : undefined,
    maxPromptTokens: Math.max(...sizes.map(({ maxPromptTokens }) => maxPromptTokens)),
    minPromptTokens: Math.min(...sizes.map(({ minPromptTokens = 0 }) => minPromptTokens)),
  };
}

/** An order whose text stays on this thread. */
export class PreparedOrder implements OrderRequest {
  readonly answeredBy = "task";

  constructor(
    readonly endpoint: Endpoint,
    readonly order: ChatCompletionRequest,
    readonly bodyHash: string | null,
  ) {}

  get fields(): ChatCompletionRequest {
    return this.order;
  }

  release(): void {}
}

/** The order in a request to a model that makes files. The request is still the one to release. */
export function toOrder(request: PreparedRequest): OrderRequest {
  if (request.answeredBy === "task") return request;
  const { endpoint, fields, bodyHash, chat = null } = request;
  return { answeredBy: "task", endpoint, fields, bodyHash, order: chat, release() {} };
}

/** @throws Refusal 400 for a request with a prompt instead of messages. */
export function requireMessages(request: PreparedRequest): CompletionRequest {
  if (request.answeredBy === "provider") return request;
  throw missingMessages();
}

export function missingMessages(): Refusal {
  return invalid("messages", "messages is required.", "missing_field");
}

/** @throws Refusal 400 for a callback, which only the end of a task makes. */
export function refuseCallback({ callback_url }: Pick<ChatCompletionRequest, "callback_url">): void {
  if (callback_url === undefined || callback_url === null) return;
  throw invalid(
    "callback_url",
    "A chat model answers at once and makes no callback. Leave callback_url out.",
  );
}
