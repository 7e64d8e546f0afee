import { isObject } from "@/lib/contract/json-value";
import { parseBounded } from "../../http/json";
import { readUsage } from "../usage/read-usage";
import { resolveCache } from "../usage/resolve-usage";
import { toChatUsageObject } from "../usage/write-usage";
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
export function toFinishReason(stopReason: unknown, callsTools: boolean): string {
  if (stopReason === "tool_use" && !callsTools) return "stop";
  return finishReasons[String(stopReason)] ?? "stop";
}

/** Usage as chat completions write it, whose prompt includes the cached tokens. */
export function toChatUsage(usage: unknown): object | undefined {
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
export function toReasoningDetail(block: Fields, origin: string): object {
  const seal = (fields: Fields) => writeSeal({ origin, names: [], fields });
  return block.type === "redacted_thinking"
    ? { type: "reasoning.encrypted", data: seal({ encrypted: block.data }) }
    : { type: "reasoning.text", text: block.thinking, signature: seal({ signature: block.signature }) };
}

/** The id of a call with the thinking that led to it, since most clients give nothing else back. */
export function sealThinking(id: string, thinking: readonly Fields[], origin: string): string {
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

export function isThinking({ type }: Fields): boolean {
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
