import { type OmittableField, outputLimitFields } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import {
  type ChatCompletionRequest,
  chatCompletionRequest,
  MAX_ENTRIES,
  MAX_MODEL_LENGTH,
  promptRequest,
} from "@/lib/contract/operations/calls/completions";
import { type JsonObject, type ScannedObject, scanObject, spliceObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import { listPromptTexts, type PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import { toOrigin } from "../../providers/server-origin";
import type { RequestHeaders } from "../../request-headers";
import { readChatRequest } from "../anthropic/read-chat-request";
import { boundUser, LeftOut } from "../anthropic/receiver-bounds";
import { CALL_MARK } from "../anthropic/returned-parts";
import {
  type CompletionRequest,
  type Counting,
  estimateForKinds,
  type RequestEstimate,
  type Terms,
} from "./prepared-request";
import {
  findPricedFeatures,
  isCallersTool,
  leaveOutUnpricedTools,
  nameTools,
  refuseUnpricedFields,
  refuseUnpricedOrder,
  unpricedTool,
} from "./priced-fields";

/** A chat completion request that the contract accepts, with its source text. */
export interface ChatRequest {
  readonly text: string;
  readonly scanned: ScannedObject;
  readonly value: ChatCompletionRequest;
}

/** @throws Refusal 400 naming the first invalid field. */
export function parseChatRequest({ text, scanned, value }: JsonObject): ChatRequest {
  if (!isPlainChatRequest(value)) parseWith(chatCompletionRequest, value);
  const request = value as ChatCompletionRequest;
  refuseUnpricedFields(request);
  return { text, scanned, value: request };
}

/** Whether a chat request has a prompt instead of messages. Only models that make files answer it. */
export function isPromptAlone({ messages, prompt }: JsonObject["value"]): boolean {
  return messages === undefined && typeof prompt === "string";
}

/** Parses a request with a prompt instead of messages. @throws Refusal 400 naming the first invalid field. */
export function parsePromptAlone({ value }: JsonObject): ChatCompletionRequest {
  parseWith(promptRequest, value);
  const order = { ...value, messages: [] } as unknown as ChatCompletionRequest;
  refuseUnpricedOrder(order);
  return order;
}

/** The caller's output limit per choice, by either of its names; null without one. */
export function readMaxTokens({
  max_tokens,
  max_completion_tokens,
}: Pick<ChatCompletionRequest, "max_tokens" | "max_completion_tokens">): number | null {
  return max_completion_tokens ?? max_tokens ?? null;
}

const roles = new Set<unknown>(["system", "developer", "user", "assistant", "tool", "function"]);

/**
 * A cheap check for common chat requests. It is never true for a request that the schema refuses; for anything uncommon
 * it is false, and the schema decides.
 */
export function isPlainChatRequest(value: Record<string, unknown>): boolean {
  return (
    typeof value.model === "string" &&
    value.model !== "" &&
    value.model.length <= MAX_MODEL_LENGTH &&
    Array.isArray(value.messages) &&
    value.messages.length > 0 &&
    value.messages.length <= MAX_ENTRIES &&
    value.messages.every(isPlainMessage) &&
    isAbsentOr(value.prompt, isString) &&
    isAbsentOr(value.stream, isBoolean) &&
    isAbsentOr(value.stream_options, isPlainStreamOptions) &&
    isAbsentOr(value.temperature, isTemperature) &&
    isAbsentOr(value.max_tokens, isPositiveInteger) &&
    isAbsentOr(value.max_completion_tokens, isPositiveInteger) &&
    isAbsentOr(value.n, isChoiceCount) &&
    isAbsentOr(value.callback_url, isShortString)
  );
}

export function isAbsentOr(value: unknown, fits: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}

function isPlainMessage(message: unknown): boolean {
  if (!isObject(message) || !roles.has(message.role)) return false;
  return typeof message.content === "string" || (message.role === "assistant" && message.content === null);
}

function isPlainStreamOptions(options: unknown): boolean {
  return isObject(options) && isAbsentOr(options.include_usage, isBoolean);
}

export const isString = (value: unknown) => typeof value === "string";
const isShortString = (value: unknown) => typeof value === "string" && value.length <= 2_000;
export const isBoolean = (value: unknown) => typeof value === "boolean";
export const isPositiveInteger = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const isChoiceCount = (value: unknown) => isPositiveInteger(value) && (value as number) <= 128;
export const isTemperature = (value: unknown) => typeof value === "number" && value >= 0 && value <= 2;

/** The output limit of a receiver that needs one, where nobody has named any. */
const MIN_OUTPUT = 4_096;

/** A chat request whose text stays on this thread. */
export class PreparedChatRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "chat/completions";
  readonly protocol = "chat";
  leftOut: CompletionRequest["leftOut"];
  chatReply: CompletionRequest["chatReply"];

  /** The types of tools that are not sent. */
  #leftOutTools: readonly string[] = [];

  constructor(
    private request: ChatRequest,
    readonly bodyHash: string | null = null,
  ) {}

  get fields(): ChatCompletionRequest {
    return this.request.value;
  }

  get session(): string | null {
    return findBodySession(this.request.value);
  }

  get chat(): ChatCompletionRequest {
    return this.request.value;
  }

  /** @throws Refusal 400 for what the model has no price for, and the call can't do without. */
  estimate(counting: Counting): RequestEstimate {
    const { body, types } = leaveOutUnpricedTools(this.request, {
      priced: counting.features?.tools,
      refusesAll: counting.refusesHostedTools,
      runsAtCaller: isCallersTool,
      refuse: (_, position) => unpricedTool(`tools.${position}.type`),
    });
    if (types.length > 0) [this.request, this.#leftOutTools] = [body, types];
    const features = findPricedFeatures(this.request, counting.features);
    const estimate = estimateForKinds(counting, (kind) =>
      kind.estimatePrompt(this.request, counting.contextWindow),
    );
    return { ...estimate, ...features };
  }

  promptTexts(): PromptTexts {
    return listPromptTexts(this.request.value);
  }

  /** @throws Refusal 400 for what can't be translated. */
  upstream(terms: Terms): string {
    if (terms.protocol === "messages") return this.#writeMessage(terms);
    const fields = terms.leftOut.length > 0 ? listLeftOut(this.request, terms) : [];
    this.leftOut = [...nameTools(this.#leftOutTools), ...fields];
    const { text } = this.request;
    return buildUpstreamBody(text.includes(CALL_MARK) ? withoutSeals(this.request) : this.request, terms);
  }

  #writeMessage({ baseUrl, model, maxTokens, leftOut: refused }: Terms): string {
    const leftOut = new LeftOut();
    const aims = { origin: toOrigin(baseUrl), model, maxTokens: maxTokens ?? MIN_OUTPUT, leftOut };
    const chat: ChatCompletionRequest & Record<string, unknown> = { ...this.request.value };
    for (const field of refused) {
      if (field === "response_format" || !(field in chat)) continue;
      leftOut.note(field, chat[field]);
      delete chat[field];
    }
    const { conversation, facts } = readChatRequest(chat, aims);
    this.leftOut = [...nameTools(this.#leftOutTools), ...leftOut.names];
    this.chatReply = facts;
    return JSON.stringify(conversation);
  }

  release(): void {}
}

const SEALED_ID = /("(?:id|tool_call_id)"\s*:\s*"[^"\\]*?)__gh1_[\w-]+"/g;

/** The ids of calls as their provider gave them: what was sealed in them is for that provider alone. */
function withoutSeals(request: ChatRequest): ChatRequest {
  const text = request.text.replaceAll(SEALED_ID, '$1"');
  return { ...request, text, scanned: scanObject(text) };
}

/**
 * The body for the provider: the caller's own text, except for what routing and pricing must change. These are the
 * model's name, the output limit under one name, usage at a stream's end, and `prompt` as a first system message.
 */
export function buildUpstreamBody({ text, scanned, value }: ChatRequest, terms: Terms): string {
  const changes = new Map<string, string | null>();
  if (terms.model !== value.model) changes.set("model", JSON.stringify(terms.model));
  const isUsageAsked = !terms.leftOut.includes("stream_options");
  if (value.stream && isUsageAsked && value.stream_options?.include_usage !== true) {
    changes.set("stream_options", JSON.stringify({ ...value.stream_options, include_usage: true }));
  }
  for (const field of outputLimitFields) {
    const limit = field === terms.outputLimitField ? terms.maxTokens : null;
    if (limit !== null && value[field] !== limit) changes.set(field, String(limit));
    if (limit === null && value[field] !== undefined) changes.set(field, null);
  }
  leaveOut({ text, scanned, value }, terms.leftOut, changes);
  const messages = scanned.members.get("messages");
  if (typeof value.prompt === "string" && messages) {
    const instruction = value.prompt && `${JSON.stringify({ role: "system", content: value.prompt })},`;
    changes.set("messages", `[${instruction}${text.slice(messages.valueStart + 1, messages.end)}`);
    changes.set("prompt", null);
  }
  return spliceObject(text, scanned, changes);
}

/** The fields of a client's own chat that a provider is not sent, or not as they are. */
function listLeftOut({ text, scanned, value }: ChatRequest, { leftOut }: Terms): OmittableField[] {
  return leftOut.filter((field) => {
    if (field === "stream_options" || field === "response_format") return false;
    if (field === "strict") return text.includes('"strict"');
    return field === "long_user" ? isLongUser(value) : scanned.members.has(field);
  });
}

function isLongUser({ user }: Readonly<Record<string, unknown>>): boolean {
  return typeof user === "string" && boundUser(user) !== user;
}

/** The places of `strict`: in the tools, and in the format of the answer. */
const strictPlaces = ["tools", "response_format"] as const;

function leaveOut(
  { text, scanned, value }: ChatRequest,
  leftOut: readonly OmittableField[],
  changes: Map<string, string | null>,
): void {
  const fields = value as ChatCompletionRequest & Readonly<Record<string, unknown>>;
  for (const field of leftOut) {
    if (field === "long_user" && isLongUser(value))
      changes.set("user", JSON.stringify(boundUser(String(fields.user))));
    else if (field === "strict" && text.includes('"strict"')) {
      for (const place of strictPlaces)
        if (scanned.members.has(place)) changes.set(place, JSON.stringify(fields[place], withoutStrict));
      // A chat's answer format says nothing about a picture's.
    } else if (field !== "response_format" && scanned.members.has(field)) changes.set(field, null);
  }
}

/** Without the wish to be followed strictly. A schema may have a property of that name, which is an object. */
function withoutStrict(name: string, value: unknown): unknown {
  return name === "strict" && typeof value === "boolean" ? undefined : value;
}

/** By which clients name a session, so that a provider keeps it where its prompt is cached. */
export const sessionHeaders = [
  "x-session-id",
  "session-id",
  "session_id",
  "x-session-affinity",
  "conversation_id",
];

/** The session of a call, by its headers or its body; null where nothing tells calls of one from others. */
export function findSession({
  headers,
  request,
}: {
  readonly headers?: RequestHeaders;
  readonly request: { readonly session?: string | null };
}): string | null {
  for (const name of [...sessionHeaders, "x-claude-code-session-id"]) {
    const value = headers?.get(name);
    if (value) return `${name}: ${value}`;
  }
  return request.session ?? null;
}

/** How many messages tell conversations from each other: with one, all that share a system prompt would be the same. */
const TELLING_MESSAGES = 2;

/** The session that a body names, else what its conversation begins with; null for a body without messages. */
export function findBodySession(body: Readonly<Record<string, unknown>>): string | null {
  const { previous_response_id, conversation, prompt_cache_key, metadata, system } = body;
  const { messages, input: said = messages, instructions = system } = body;
  const user = isObject(metadata) ? metadata.user_id : undefined;
  const conversationId = isObject(conversation) ? conversation.id : conversation;
  for (const name of [previous_response_id, conversationId, prompt_cache_key, user])
    if (typeof name === "string" && name !== "") return name;
  if (typeof said !== "string" && !Array.isArray(said)) return null;
  const begun = typeof said === "string" ? said : said.slice(0, TELLING_MESSAGES);
  return String(Bun.hash(JSON.stringify([instructions, begun])));
}
