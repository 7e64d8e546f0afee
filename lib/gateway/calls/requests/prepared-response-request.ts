import { isObject } from "@/lib/contract/json-value";
import { type ChatMessage, MAX_ENTRIES, MAX_MODEL_LENGTH } from "@/lib/contract/operations/calls/completions";
import { type ResponseRequest, responseRequest } from "@/lib/contract/operations/calls/responses";
import { type JsonObject, writeJsonObject } from "../../http/json";
import { parseWith } from "../../http/parse-with";
import { listPromptTexts, type Prompt, type PromptTexts } from "../../providers/prompt-size/estimate-prompt";
import { toOrigin } from "../../providers/server-origin";
import { LeftOut } from "../anthropic/receiver-bounds";
import { SKIPPED_SIGNATURE } from "../anthropic/translate-messages";
import {
  findMaker,
  isClientsTool,
  passOnResponse,
  pickPricedTools,
  refuseCostlyFields,
} from "../responses/pass-on-response";
import { type ChatAims, readResponseRequest, refuseUnserved } from "../responses/read-response-request";
import type { ResponseFacts } from "../responses/response-facts";
import {
  findBodySession,
  isAbsentOr,
  isBoolean,
  isPositiveInteger,
  isString,
  isTemperature,
  PreparedChatRequest,
  parseChatRequest,
} from "./chat-request";
import {
  type CompletionRequest,
  type Counting,
  estimateForKinds,
  type RequestEstimate,
  type RequestFields,
  type Terms,
} from "./prepared-request";
import { findPricedFeatures } from "./priced-fields";

/** A request of the Responses API as a chat, priced with all that earlier answers gave back. */
interface Translation {
  readonly chat: PreparedChatRequest;
  readonly facts: ResponseFacts;
  readonly leftOut: readonly string[];
  readonly origins: ReadonlySet<string>;
}

/**
 * A request of OpenAI's Responses API. A provider that speaks it gets its text unchanged, but for the model, the output
 * limit and what is the gateway's own. For others it is a chat or a message, and each server gets what it gave itself.
 */
export class PreparedResponseRequest implements CompletionRequest {
  readonly answeredBy = "provider";
  readonly endpoint = "chat/completions";
  readonly protocol = "responses";
  readonly fields: RequestFields;
  chatReply: CompletionRequest["chatReply"];
  leftOut: CompletionRequest["leftOut"];
  readonly #request: ResponseRequest;
  #translation: Translation | null = null;
  #prompt: Prompt | null = null;
  #tools: ReturnType<typeof pickPricedTools> = { kept: [], leftOut: [] };

  /** @throws Refusal 400 naming the first invalid field. */
  constructor(
    private readonly body: JsonObject,
    readonly bodyHash: string | null,
    /** How many items of earlier turns precede its own. */
    private readonly earlierItems = 0,
  ) {
    this.#request = parseResponseRequest(body.value);
    refuseUnserved(this.#request);
    const { model, stream, max_output_tokens, temperature } = this.#request;
    this.fields = {
      model,
      stream,
      max_completion_tokens: max_output_tokens,
      temperature,
      ...(stream && { stream_options: { include_usage: true } }),
    };
  }

  get session(): string | null {
    return findBodySession(this.#request);
  }

  get madeBy(): string | null {
    return findMaker(this.#request.input);
  }

  get response(): ResponseFacts | undefined {
    return this.#translation?.facts;
  }

  /** @throws Refusal 400 for what has no price, or can't be told. */
  estimate(counting: Counting): RequestEstimate {
    if (!counting.speaksResponses) return this.#translate(counting).chat.estimate(counting);
    const { features: prices } = counting;
    refuseCostlyFields(this.#request);
    this.#tools = pickPricedTools(this.#request, counting);
    const { max_tool_calls: max_uses } = this.#request;
    const tools = this.#tools.kept.map((tool) => ({ ...Object(tool), ...(max_uses && { max_uses }) }));
    const value = { ...this.#request, tools };
    const features = findPricedFeatures({ text: this.body.text, value }, prices, isClientsTool);
    const estimate = estimateForKinds(counting, (kind) =>
      kind.estimatePrompt(this.#countedPrompt, counting.contextWindow),
    );
    return { ...estimate, ...features };
  }

  promptTexts(): PromptTexts {
    return this.#translation?.chat.promptTexts() ?? listPromptTexts(this.#countedPrompt.value);
  }

  get #countedPrompt(): Prompt {
    this.#prompt ??= toResponsePrompt(this.#request);
    return this.#prompt;
  }

  /** @throws Refusal 400 for what can't be told. */
  upstream(terms: Terms): string {
    if (terms.protocol === "responses") return this.#passOn(terms);
    const { origins } = this.#translate();
    const own = toOrigin(terms.baseUrl);
    const isAsPriced = terms.protocol === "chat" && !terms.skipsSignatures;
    const isOwn = [...origins].every((origin) => origin === own);
    const sent =
      isAsPriced && isOwn
        ? this.#translate()
        : this.#translateFor({
            accepts: (origin) => origin === own,
            keepsSealedIds: terms.protocol === "messages",
            ...(terms.skipsSignatures && { unsigned: SKIPPED_SIGNATURE }),
          });
    const text = sent.chat.upstream(terms);
    this.chatReply = sent.chat.chatReply;
    this.leftOut = [...new Set([...sent.leftOut, ...(sent.chat.leftOut ?? []).map(toResponseName)])];
    return text;
  }

  #passOn({ model, maxTokens, account }: Terms): string {
    const leftOut = new LeftOut();
    const { kept, leftOut: types } = this.#tools;
    for (const type of types) leftOut.add(`tools.${type}`);
    const tools = types.length > 0 ? kept : null;
    const text = passOnResponse(this.body, this.#request, { model, maxTokens, account, tools, leftOut });
    this.leftOut = leftOut.names;
    return text;
  }

  #translate({ refusesHostedTools }: Pick<Counting, "refusesHostedTools"> = {}): Translation {
    const aims = { accepts: () => true, keepsSealedIds: false, refusesHostedTools };
    this.#translation ??= this.#translateFor(aims);
    return this.#translation;
  }

  #translateFor(aims: ChatAims): Translation {
    const { chat, facts, leftOut, origins } = readResponseRequest(this.#request, {
      ...aims,
      earlierItems: this.earlierItems,
    });
    const prepared = new PreparedChatRequest(parseChatRequest(writeJsonObject(chat)));
    return { chat: prepared, facts, leftOut, origins };
  }

  release(): void {}
}

/** @throws Refusal 400 naming the first invalid field. */
function parseResponseRequest(value: JsonObject["value"]): ResponseRequest {
  return isPlainResponseRequest(value) ? (value as ResponseRequest) : parseWith(responseRequest, value);
}

const isItems = (value: unknown) =>
  Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isItem);
const isItem = (value: unknown) => isObject(value) && isAbsentOr(value.type, isString);
const isTool = (value: unknown) => isObject(value) && isString(value.type);
const isLabel = (value: unknown) => typeof value === "string" && value.length <= 512;

/** Checks of common fields, each at least as strict as the schema's. */
const plainFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  model: (value) => isString(value) && value !== "" && (value as string).length <= MAX_MODEL_LENGTH,
  input: (value) => isString(value) || isItems(value),
  instructions: isString,
  stream: isBoolean,
  store: isBoolean,
  previous_response_id: isLabel,
  include: (value) => Array.isArray(value) && value.every(isLabel),
  max_output_tokens: isPositiveInteger,
  temperature: isTemperature,
  tools: (value) => Array.isArray(value) && value.length <= MAX_ENTRIES && value.every(isTool),
  tool_choice: (value) => isString(value) || isObject(value),
  parallel_tool_calls: isBoolean,
  reasoning: isObject,
  prompt_cache_key: isLabel,
};

/** A cheap check for common requests; for anything else it is false, and the schema decides. */
export function isPlainResponseRequest(value: JsonObject["value"]): boolean {
  if (!isString(value.model)) return false;
  for (const name in responseRequest.shape)
    if (!isAbsentOr(value[name], plainFields[name] ?? (() => false))) return false;
  return true;
}

/** The names that fields of a chat have in a response. */
const responseNames: Readonly<Record<string, string>> = {
  messages: "input",
  response_format: "text.format",
  verbosity: "text.verbosity",
  reasoning_effort: "reasoning.effort",
  max_completion_tokens: "max_output_tokens",
};

function toResponseName(name: string): string {
  const [first = "", ...rest] = name.split(".");
  return [responseNames[first] ?? first, ...rest].join(".");
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The prompt of a request of the Responses API that is passed on, as it is counted: each item as the part of a chat
 * that has the same size. Nothing of it is sent.
 */
function toResponsePrompt({ input, instructions, ...rest }: Fields): Prompt {
  const items = Array.isArray(input) ? input : [input];
  const before = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const messages = [...before, ...items.map(toCountedMessage)];
  const whole = { ...rest, messages };
  return { text: JSON.stringify(whole), value: whole as unknown as Prompt["value"] };
}

function toCountedMessage(item: unknown): ChatMessage {
  if (typeof item === "string") return { role: "user", content: item };
  const { content, output, ...others } = isObject(item) ? item : {};
  const parts = [content, output].flatMap((list) =>
    Array.isArray(list) ? list.map(toCountedPart) : [toText(list)],
  );
  return { role: "user", content: [...parts, toText(others)] } as ChatMessage;
}

function toText(value: unknown): Fields {
  return { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? "") };
}

/** A picture or a file that is referred to has an unknown size. */
function toCountedPart(part: unknown): Fields {
  const fields = isObject(part) ? part : {};
  switch (fields.type) {
    case "input_image":
    case "computer_screenshot":
      return { type: "image_url", image_url: { url: fields.image_url ?? "https://unknown" } };
    case "input_file":
      return {
        type: "file",
        file: typeof fields.file_data === "string" ? { file_data: fields.file_data } : { file_id: "unknown" },
      };
    case "input_audio":
      return { type: "input_audio", input_audio: fields.input_audio };
    default:
      return toText(fields.text ?? part);
  }
}
