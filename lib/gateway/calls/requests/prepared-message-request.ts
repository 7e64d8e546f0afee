import { isObject } from "@/lib/contract/json-value";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { type JsonObject, scanObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import { listPromptTexts, type Prompt, type PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import { toOrigin } from "../../providers/server-origin";
import { anthropicCountRequest, anthropicRequest, countHead, messageHead } from "../anthropic/content-blocks";
import { LeftOut } from "../anthropic/left-out";
import {
  isCallersTool,
  refuseCostlyFields,
  refuseUnpricedTool,
  siftRequest,
} from "../anthropic/sift-request";
import { type Conversation, type MessageFacts, translateRequest } from "../anthropic/translate-request";
import { buildUpstreamBody, type ChatRequest, findBodySession, parseChatRequest } from "./chat-request";
import { leaveOutUnpricedTools, nameTools } from "./leave-out-tools";
import {
  type CompletionRequest,
  type Counting,
  estimateForKinds,
  type RequestEstimate,
  type RequestFields,
  type Terms,
} from "./prepared-request";
import { findPricedFeatures } from "./priced-fields";

/** A message as a chat request. It is priced with everything that earlier answers gave back. */
interface Translation {
  readonly conversation: Conversation;
  readonly chat: ChatRequest;
  readonly message: MessageFacts;
  readonly leftOut: readonly string[];
  readonly origins: ReadonlySet<string>;
}

/**
 * A request of Anthropic's Messages API. A provider that speaks it gets its text unchanged, but for the model and the
 * output limit. For others it is translated, and each server gets what it gave itself.
 */
export class PreparedMessageRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "chat/completions";
  readonly protocol = "messages";
  readonly fields: RequestFields;
  #prompt: Prompt | null = null;
  #translation: Translation | null = null;
  /** The types of tools that are not sent. */
  #leftOutTools: readonly string[] = [];

  /** @throws Refusal 400 for what would cost more than the price, or can't be read. */
  constructor(
    private body: JsonObject,
    readonly bodyHash: string | null,
    /** Whether only the tokens are asked for. */
    private readonly isCount: boolean,
  ) {
    refuseCostlyFields(body.value);
    const { model, stream, max_tokens, temperature } = parseWith(
      isCount ? countHead : messageHead,
      body.value,
    );
    this.fields = {
      model,
      stream,
      max_tokens,
      temperature,
      ...(stream && { stream_options: { include_usage: true } }),
    };
  }

  get session(): string | null {
    return findBodySession(this.body.value);
  }

  get message(): MessageFacts | undefined {
    return this.#translation?.message;
  }

  get leftOut(): readonly string[] | undefined {
    return [...nameTools(this.#leftOutTools), ...(this.#translation?.leftOut ?? [])];
  }

  /** @throws Refusal 400 for what has no price, or can't be translated where no provider speaks messages. */
  estimate(counting: Counting): RequestEstimate {
    const { features: prices } = counting;
    const { body, types } = leaveOutUnpricedTools(this.body, {
      priced: prices?.tools,
      refusesAll: counting.refusesHostedTools,
      runsAtCaller: isCallersTool,
      refuse: refuseUnpricedTool,
    });
    if (types.length > 0) [this.body, this.#leftOutTools] = [body, types];
    // As it was sent, since it may ask for what its translation has no words for.
    const features = findPricedFeatures(this.body, prices, isCallersTool);
    const prompt = counting.speaksMessages ? this.#countedPrompt : this.#translate().chat;
    const estimate = estimateForKinds(counting, (kind) =>
      kind.estimatePrompt(prompt, counting.contextWindow),
    );
    return { ...estimate, ...features };
  }

  promptTexts(): PromptTexts {
    return listPromptTexts((this.#translation?.chat ?? this.#countedPrompt).value);
  }

  get #countedPrompt(): Prompt {
    this.#prompt ??= toMessagePrompt(this.body);
    return this.#prompt;
  }

  /** @throws Refusal 400 for what can't be translated. */
  upstream(terms: Terms): string {
    if (terms.protocol === "messages") return this.#passOn(terms);
    const { conversation, chat, origins } = this.#translate();
    const origin = toOrigin(terms.baseUrl);
    const { skipsSignatures = false } = terms;
    const isOwn = [...origins].every((other) => other === origin);
    if (isOwn && !skipsSignatures) return buildUpstreamBody(chat, terms);
    const { value } = translateRequest(conversation, (other) => other === origin, { skipsSignatures });
    return buildUpstreamBody(toChatRequest(value), terms);
  }

  #passOn({ model, maxTokens }: Terms): string {
    const { text, scanned } = this.body;
    const changes = new Map<string, string>();
    if (model !== this.fields.model) changes.set("model", JSON.stringify(model));
    if (maxTokens !== null && maxTokens !== this.fields.max_tokens)
      changes.set("max_tokens", String(maxTokens));
    return spliceObject(text, scanned, changes);
  }

  #translate(): Translation {
    if (this.#translation) return this.#translation;
    const leftOut = new LeftOut();
    const sifted = siftRequest(this.body.value, leftOut);
    const conversation = parseWith(this.isCount ? anthropicCountRequest : anthropicRequest, sifted);
    leftOut.compare(sifted, conversation);
    const { value, facts, origins } = translateRequest(conversation, () => true, { leftOut });
    const chat = toChatRequest(value);
    this.#translation = { conversation, chat, message: facts, leftOut: leftOut.names, origins };
    return this.#translation;
  }

  release(): void {}
}

function toChatRequest(value: Record<string, unknown>): ChatRequest {
  const text = JSON.stringify(value);
  return parseChatRequest({ text, value, scanned: scanObject(text) });
}

type Fields = Readonly<Record<string, unknown>>;
type Part = Fields;

/**
 * The prompt of a request of Anthropic's Messages API, as it is counted: each block as the part of a chat that has the
 * same size. Nothing of it is sent.
 */
function toMessagePrompt({ text, value }: JsonObject): Prompt {
  const messages: unknown[] = Array.isArray(value.messages) ? value.messages : [];
  const isText = messages.every((message) => isObject(message) && typeof message.content === "string");
  if (isText) return { text, value: value as Prompt["value"] };
  const counted = messages.filter(isObject).map(toCountedMessage);
  const whole = { ...value, messages: counted };
  return { text: JSON.stringify(whole), value: whole as unknown as Prompt["value"] };
}

function toCountedMessage({ role, content }: Fields): ChatMessage {
  const parts = Array.isArray(content) ? content.flatMap(toParts) : content;
  return { role, content: parts } as ChatMessage;
}

function toParts(block: unknown): Part[] {
  if (!isObject(block)) return [toText(block)];
  switch (block.type) {
    case "text":
      return [toText(block.text)];
    case "thinking":
      return [toText(block.thinking)];
    case "image":
      return [toImage(block.source)];
    case "document":
      return [...[block.title, block.context].filter(Boolean).map(toText), ...toDocument(block.source)];
    case "tool_result":
      return Array.isArray(block.content) ? block.content.flatMap(toParts) : [toText(block.content)];
    default: {
      const { cache_control: _, ...said } = block;
      return [toText(said)];
    }
  }
}

function toText(value: unknown): Part {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? "") };
}

function toImage(source: unknown): Part {
  const { type, url } = isObject(source) ? source : {};
  return { type: "image_url", image_url: { url: type === "base64" ? "data:" : url } };
}

/** A document that is referred to has an unknown size. */
function toDocument(source: unknown): Part[] {
  const { type, data, content } = isObject(source) ? source : {};
  if (type === "text") return [toText(data)];
  if (type === "content") return Array.isArray(content) ? content.flatMap(toParts) : [toText(content)];
  return [{ type: "file", file: type === "base64" ? { file_data: data } : { file_id: "unknown" } }];
}
