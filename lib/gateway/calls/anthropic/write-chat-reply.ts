import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../../http/json";
import { readUsage, toChatUsageObject } from "../usage/read-usage";
import { resolveCache } from "../usage/resolve-usage";
import type { ChatReplyFacts } from "./read-chat-request";
import { writeSeal } from "./returned-parts";

type Fields = Readonly<Record<string, unknown>>;

/** Facts of a reply that its provider doesn't write. */
export interface ChatReply extends ChatReplyFacts {
  /** The server that gives it, as seals name it. */
  readonly origin: string;
  readonly createdAt: number;
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  pause_turn: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** How an answer ended, in the words of chat completions. The tool that takes an answer as JSON is no call. */
function toFinishReason(stopReason: unknown, callsTools: boolean): string {
  if (stopReason === "tool_use" && !callsTools) return "stop";
  return finishReasons[String(stopReason)] ?? "stop";
}

/** Usage as chat completions write it, whose prompt includes the cached tokens. */
function toChatUsage(usage: unknown): object | undefined {
  if (!isObject(usage)) return undefined;
  const figures = readUsage(usage);
  const { promptTokens, completionTokens, reasoningTokens } = figures;
  if (promptTokens === null && completionTokens === null) return undefined;
  const prompt = promptTokens ?? 0;
  const cache = resolveCache(prompt, figures);
  return toChatUsageObject({
    promptTokens: prompt,
    completionTokens: completionTokens ?? 0,
    ...cache,
    reasoningTokens,
  });
}

/** A block of thinking as clients of several services carry it, sealed so that its own server gets it again. */
function toReasoningDetail(block: Fields, origin: string): object {
  const seal = (fields: Fields) => writeSeal({ origin, names: [], fields });
  return block.type === "redacted_thinking"
    ? { type: "reasoning.encrypted", data: seal({ encrypted: block.data }) }
    : { type: "reasoning.text", text: block.thinking, signature: seal({ signature: block.signature }) };
}

/** The id of a call with the thinking that led to it, since most clients give nothing else back. */
function sealThinking(id: string, thinking: readonly Fields[], origin: string): string {
  if (thinking.length === 0) return id;
  return `${id}__${writeSeal({ origin, names: [], fields: { thinking_blocks: thinking } })}`;
}

/** A call of a tool, by the client's own name and in its form. */
function toToolCall({ id, name }: { id: string; name: string }, json: string, facts: ChatReplyFacts): Fields {
  const asked = facts.toolNames[name] ?? name;
  if (!facts.customTools.includes(name))
    return { id, type: "function", function: { name: asked, arguments: json } };
  return { id, type: "custom", custom: { name: asked, input: readText(json) } };
}

function readText(json: string): string {
  try {
    const { input } = Object(parseBounded(json)) as { input?: unknown };
    return typeof input === "string" ? input : json;
  } catch {
    return json;
  }
}

function isThinking({ type }: Fields): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Translates a message to a chat completion. */
export function writeChatReply(message: unknown, reply: ChatReply): object {
  const { id, model, content, stop_reason, stop_sequence, usage } = Object(message) as Fields;
  const blocks = (Array.isArray(content) ? content : []).filter(isObject);
  const thinking = blocks.filter(isThinking);
  const uses = blocks.filter(({ type, name }) => type === "tool_use" && name !== reply.jsonTool);
  const json = blocks.find(({ type, name }) => type === "tool_use" && name === reply.jsonTool);
  const text = json ? JSON.stringify(json.input) : join(blocks, "text");
  const calls = uses.map((use, index) => {
    const called = sealThinking(String(use.id), index === 0 ? thinking : [], reply.origin);
    return toToolCall({ id: called, name: String(use.name) }, JSON.stringify(use.input ?? {}), reply);
  });
  const reasoning = join(thinking, "thinking");
  const choice = {
    index: 0,
    message: {
      role: "assistant",
      content: text || (calls.length > 0 ? null : ""),
      refusal: null,
      ...(reasoning && { reasoning_content: reasoning }),
      ...(thinking.length > 0 && {
        reasoning_details: thinking.map((block) => toReasoningDetail(block, reply.origin)),
      }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    finish_reason: toFinishReason(stop_reason, calls.length > 0),
    ...(typeof stop_sequence === "string" && { stop_reason: stop_sequence }),
    logprobs: null,
  };
  const told = toChatUsage(usage);
  return {
    id,
    object: "chat.completion",
    created: reply.createdAt,
    model,
    choices: [choice],
    ...(told && { usage: told }),
  };
}

function join(blocks: readonly Fields[], field: "text" | "thinking"): string {
  return blocks.map((block) => (typeof block[field] === "string" ? block[field] : "")).join("");
}

type WriteChatChunksFields = Record<string, unknown>;

const DONE = "data: [DONE]\n\n";

/** Translates the events of Anthropic's streams to `chat.completion.chunk` events. */
export class ChatChunks {
  #head: WriteChatChunksFields = {};
  #usage: WriteChatChunksFields = {};
  #calls = 0;
  readonly #blocks = new Map<unknown, WriteChatChunksFields>();
  /** The text of a custom tool's arguments, which is told once it is whole. */
  readonly #inputs = new Map<unknown, string>();

  constructor(private readonly reply: ChatReply) {}

  /** @param event the data of an event. @returns the resulting events as text. */
  translate(event: WriteChatChunksFields): string {
    const { type, index, delta, content_block: block } = event;
    switch (type) {
      case "message_start":
        return this.#start(event.message);
      case "content_block_start":
        return isObject(block) ? this.#open(index, { ...block }) : "";
      case "content_block_delta":
        return isObject(delta) ? this.#fill(index, delta) : "";
      case "content_block_stop":
        return this.#close(index);
      case "message_delta":
        return this.#end(event);
      case "message_stop":
        return DONE;
      case "ping":
        return ": ping\n\n";
      case "error":
        return `data: ${JSON.stringify({ error: event.error ?? {} })}\n\n`;
      default:
        return event.error ? `data: ${JSON.stringify({ error: event.error })}\n\n` : "";
    }
  }

  #write(delta: object, rest: object = {}): string {
    const choices = [{ index: 0, delta, finish_reason: null, ...rest }];
    return `data: ${JSON.stringify({ ...this.#head, choices })}\n\n`;
  }

  #start(message: unknown): string {
    const { id, model, usage } = isObject(message) ? message : {};
    this.#head = { id, object: "chat.completion.chunk", created: this.reply.createdAt, model };
    // Its output tokens are those so far, and not the answer's.
    if (isObject(usage)) this.#usage = { ...usage, output_tokens: undefined };
    return this.#write({ role: "assistant", content: "" });
  }

  #open(index: unknown, block: WriteChatChunksFields): string {
    this.#blocks.set(index, block);
    if (block.type === "text" && block.text) return this.#write({ content: block.text });
    if (block.type === "thinking" && block.thinking)
      return this.#write({ reasoning_content: block.thinking });
    if (block.type === "redacted_thinking")
      return this.#write({ reasoning_details: [{ index, ...toReasoningDetail(block, this.reply.origin) }] });
    if (block.type !== "tool_use" || block.name === this.reply.jsonTool) return "";
    const place = this.#calls++;
    block.place = place;
    const { toolNames, customTools, origin } = this.reply;
    const name = toolNames[String(block.name)] ?? block.name;
    const id = sealThinking(String(block.id), place === 0 ? this.#thinking : [], origin);
    if (customTools.includes(String(block.name))) {
      this.#inputs.set(index, "");
      return this.#write({ tool_calls: [{ index: place, id, type: "custom", custom: { name, input: "" } }] });
    }
    return this.#write({
      tool_calls: [{ index: place, id, type: "function", function: { name, arguments: "" } }],
    });
  }

  get #thinking(): WriteChatChunksFields[] {
    return [...this.#blocks.values()].filter(isThinking);
  }

  #fill(index: unknown, { text, thinking, signature, partial_json: json }: WriteChatChunksFields): string {
    const block = this.#blocks.get(index);
    if (typeof text === "string") return this.#write({ content: text });
    if (!block) return "";
    if (typeof thinking === "string") {
      block.thinking = `${block.thinking ?? ""}${thinking}`;
      return this.#write({ reasoning_content: thinking });
    }
    if (typeof signature === "string") block.signature = `${block.signature ?? ""}${signature}`;
    if (typeof json !== "string" || json === "" || block.type !== "tool_use") return "";
    return this.#tellInput(index, block, json);
  }

  #tellInput(index: unknown, block: WriteChatChunksFields, json: string): string {
    block.isTold = true;
    if (block.name === this.reply.jsonTool) return this.#write({ content: json });
    const input = this.#inputs.get(index);
    if (input === undefined)
      return this.#write({ tool_calls: [{ index: block.place, function: { arguments: json } }] });
    this.#inputs.set(index, input + json);
    return "";
  }

  /** The signature of a block is whole where it ends, and so is an input that came with its start, or is empty. */
  #close(index: unknown): string {
    const block = this.#blocks.get(index);
    if (block?.type === "tool_use") {
      const told = block.isTold ? "" : this.#tellInput(index, block, JSON.stringify(block.input ?? {}));
      const input = this.#inputs.get(index);
      if (input === undefined) return told;
      return this.#write({ tool_calls: [{ index: block.place, custom: { input: readInput(input) } }] });
    }
    if (block?.type !== "thinking" || !block.signature) return "";
    // The text was told already.
    const detail = { ...toReasoningDetail(block, this.reply.origin), index };
    return this.#write({ reasoning_details: [detail] });
  }

  #end({ delta, usage }: WriteChatChunksFields): string {
    const { stop_reason, stop_sequence } = isObject(delta) ? delta : {};
    if (isObject(usage)) this.#usage = joinUsage(this.#usage, usage);
    const ended = typeof stop_sequence === "string" ? { stop_reason: stop_sequence } : {};
    const finish = { finish_reason: toFinishReason(stop_reason, this.#calls > 0), ...ended };
    const last = stop_reason ? this.#write({}, finish) : "";
    const told = isObject(usage) ? toChatUsage(this.#usage) : undefined;
    return last + (told ? `data: ${JSON.stringify({ ...this.#head, choices: [], usage: told })}\n\n` : "");
  }
}

/** A figure that is told as null, or as 0 where one was told, says nothing new. */
function joinUsage(before: WriteChatChunksFields, after: WriteChatChunksFields): WriteChatChunksFields {
  const joined = { ...before };
  for (const [name, value] of Object.entries(after))
    if (value || !joined[name]) joined[name] = value ?? joined[name];
  return joined;
}

function readInput(json: string): unknown {
  try {
    return (JSON.parse(json) as { input?: unknown }).input ?? json;
  } catch {
    return json;
  }
}
