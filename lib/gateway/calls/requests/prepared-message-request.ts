import { isObject } from "@/lib/contract/json-value";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { type JsonObject, scanObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import { listPromptTexts, type Prompt, type PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import { toOrigin } from "../../providers/server-origin";
import { invalid, type Refusal } from "../../refusal";
import {
  anthropicCountRequest,
  anthropicRequest,
  blockTypes,
  countHead,
  messageHead,
} from "../anthropic/content-blocks";
import { LeftOut } from "../anthropic/receiver-bounds";
import { type Conversation, type MessageFacts, translateRequest } from "../anthropic/translate-request";
import { buildUpstreamBody, type ChatRequest, findBodySession, parseChatRequest } from "./chat-request";
import {
  type CompletionRequest,
  type Counting,
  estimateForKinds,
  type RequestEstimate,
  type RequestFields,
  type Terms,
} from "./prepared-request";
import { findPricedFeatures, leaveOutUnpricedTools, nameTools } from "./priced-fields";

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

/** Fields that change a call's price or place, with the values that don't. Others are refused, never left out. */
const costly: Readonly<Record<string, { readonly plain: readonly unknown[]; readonly why: string }>> = {
  speed: { plain: ["standard"], why: "it changes the provider's price, and no price here covers it" },
  service_tier: {
    plain: ["auto", "standard_only"],
    why: "it changes the provider's price, and no price here covers it",
  },
  inference_geo: { plain: ["global"], why: "the gateway can't choose where a provider computes" },
  container: { plain: [], why: "no provider runs code here" },
  mcp_servers: { plain: [], why: "no provider calls MCP servers here; send their tools in `tools`" },
  thread: { plain: [], why: "no thread is kept here; send all messages with each request" },
};

/** Fields in which an unknown block would carry what a user said. */
const contents = ["source", "content", "text", "data", "file", "file_id", "url"];

/** Tools that the caller runs, and those that only choose among its tools. Others are run by the provider. */
const callersTools = /^(?:custom|function|bash_|text_editor_|computer_|memory_|tool_search_tool)/;

/**
 * Refuses features that change a message's price and have no price here.
 * @throws Refusal 400 in the words of Anthropic's API, by which clients find the feature to send without.
 */
function refuseCostlyFields(body: Fields): void {
  for (const [name, { plain, why }] of Object.entries(costly)) {
    const value = body[name] ?? null;
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (value !== null && !isEmpty && !plain.includes(value)) throw extraInput(name, why);
  }
}

/** The refusal of a tool that the provider runs and the model has no price for, in the same words. */
function refuseUnpricedTool(tool: unknown, position: number): Refusal {
  return unknownTag(tool, `tools.${position}`, ["custom"], "unpriced_field");
}

function isCallersTool(type: unknown): boolean {
  return typeof type !== "string" || callersTools.test(type);
}

/**
 * A request in which every block and tool has a known type. An unknown block is kept by the text in it, or else left
 * out, whatever next month's clients send; what would lose a user's words is refused.
 * @throws Refusal 400 in the words of Anthropic's API.
 */
function siftRequest(body: Fields, leftOut: LeftOut): Fields {
  const sifted: Record<string, unknown> = { ...body };
  for (const name of Object.keys(costly)) delete sifted[name];
  if (Array.isArray(body.messages))
    sifted.messages = body.messages.map((message, position) =>
      siftMessage(message, `messages.${position}`, leftOut),
    );
  if (Array.isArray(body.system))
    sifted.system = body.system.map((block) => siftBlock(block, { path: "system", leftOut }, ["text"]));
  if (Array.isArray(body.tools))
    sifted.tools = body.tools.filter((tool, position) => isTranslatedTool(tool, position, leftOut));
  return sifted;
}

function siftMessage(message: unknown, path: string, leftOut: LeftOut): unknown {
  if (!isObject(message)) return message;
  const { role, content } = message;
  if (typeof role === "string" && !roles.has(role)) {
    const allowed = 'Allowed roles are "user", "assistant" and "system".';
    throw invalid(`${path}.role`, `messages: Unexpected role "${role.slice(0, 40)}". ${allowed}`);
  }
  if (!Array.isArray(content)) return message;
  const place: Place = { path: "messages.content", leftOut };
  const types = role === "user" || role === "assistant" ? blockTypes : ["text"];
  const sifted = content.map((block, position) => {
    const at = `${path}.content.${position}`;
    if (role === "user") refuseLostContent(block, at);
    const known = siftBlock(block, place, types);
    return isObject(known) && known.type === "tool_result" ? siftResult(known, at, leftOut) : known;
  });
  const isLost = role === "user" && content.length > 0 && sifted.every((block) => isLeftOut(block));
  if (isLost) throw unknownTag(content[0], `${path}.content.0`, blockTypes);
  return { ...message, content: sifted };
}

const roles = new Set(["user", "assistant", "system", "developer"]);
const resultTypes = ["text", "image", "document", "search_result"];

/** Within a tool's result, a block without text is told as JSON, so that the model sees what its tool found. */
function siftResult(result: Fields, path: string, leftOut: LeftOut): Fields {
  const { content } = result;
  if (!Array.isArray(content)) return result;
  const place: Place = { path: "messages.content.content", leftOut };
  const sifted = content.map((block, position) => {
    refuseLostContent(block, `${path}.content.${position}`);
    if (!isUnknown(block, resultTypes) || findText(block)) return siftBlock(block, place, resultTypes);
    const { cache_control: _, ...told } = block as Fields;
    return { type: "text", text: JSON.stringify(told) };
  });
  return { ...result, content: sifted };
}

interface Place {
  readonly path: string;
  readonly leftOut: LeftOut;
}

function siftBlock(block: unknown, { path, leftOut }: Place, types: readonly string[]): unknown {
  if (!isUnknown(block, types)) return block;
  const text = findText(block);
  if (text) return { type: "text", text };
  leftOut.add(`${path}.${String(block.type)}`);
  return { type: "left_out" };
}

function isUnknown(block: unknown, types: readonly string[]): block is Fields {
  return isObject(block) && typeof block.type === "string" && !types.includes(block.type);
}

function isLeftOut(block: unknown): boolean {
  return isObject(block) && block.type === "left_out";
}

/** The text that an unknown block holds where known ones do; empty if it holds none. */
function findText({ text, content }: Fields): string {
  if (typeof text === "string") return text;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isObject(part) && part.type === "text" && typeof part.text === "string" ? part.text : ""))
    .join("");
}

/** @throws Refusal 400 for an unknown block with content that is no text, such as a file. */
function refuseLostContent(block: unknown, path: string): void {
  if (!isUnknown(block, blockTypes) || findText(block)) return;
  if (contents.some((name) => (block[name] ?? null) !== null)) throw unknownTag(block, path, blockTypes);
}

/**
 * Whether the caller runs a tool, which then has a schema. A search for tools is left out, since every tool is sent.
 * @throws Refusal 400 for a tool that the provider would run.
 */
function isTranslatedTool(tool: unknown, position: number, leftOut: LeftOut): boolean {
  if (!isObject(tool) || tool.input_schema !== undefined || typeof tool.type !== "string") return true;
  if (tool.type === "custom") return true;
  if (tool.type.startsWith("tool_search")) {
    leftOut.add(`tools.${tool.type}`);
    return false;
  }
  throw unknownTag(tool, `tools.${position}`, ["custom"], "unpriced_field");
}

function extraInput(field: string, why: string): Refusal {
  return invalid(field, `${field}: Extra inputs are not permitted: ${why}.`, "unpriced_field");
}

function unknownTag(
  value: unknown,
  path: string,
  types: readonly string[],
  code: "invalid_value" | "unpriced_field" = "invalid_value",
): Refusal {
  const tag = isObject(value) ? String(value.type).slice(0, 60) : "";
  const expected = types.map((type) => `'${type}'`).join(", ");
  const message = `${path}: Input tag '${tag}' found using 'type' does not match any of the expected tags: ${expected}.`;
  return invalid(`${path}.type`, message, code);
}
