import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { isObject } from "@/lib/contract/json-value";
import {
  type ChoiceEnd,
  describeStop,
  MessageBlocks,
  pickChoiceEnd,
  type StreamedBlock,
  toAnthropicUsage,
  toCallId,
  toMessageId,
  writeEvent,
} from "./message-blocks";
import { pickReturned, ReturnedParts } from "./returned-parts";
import {
  MAX_TOOL_CALLS,
  type MessageReply,
  readArguments,
  ToolCallBlocks,
  type ToolCallPiece,
} from "./translate-reply";

interface Delta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: readonly ToolCallPiece[] | null;
}

export interface Chunk {
  readonly choices?: readonly (ChoiceEnd & {
    /** Servers that give one answer may leave it out. */
    readonly index?: number;
    readonly delta?: Delta | null;
    readonly finish_reason?: string | null;
  })[];
  readonly usage?: unknown;
  readonly service_tier?: unknown;
  readonly error?: { readonly message: string; readonly code?: string; readonly provider_code?: string };
}

/** The parts of a parsed chunk that become part of a Message. */
export function pickMessageParts(parsed: unknown): Chunk {
  const { choices, usage, service_tier, error } = parsed as Chunk;
  const first = findFirstChoice(choices);
  const delta: Delta = first?.delta ?? {};
  const tool_calls = listToolCalls(delta).slice(0, MAX_TOOL_CALLS);
  return {
    choices: first
      ? [
          {
            ...pickChoiceEnd(first),
            index: 0,
            delta: {
              ...pickReturned(delta as Readonly<Record<string, unknown>>),
              content: Array.isArray(delta.content) ? delta.content : keepText(delta.content),
              refusal: keepText(delta.refusal),
              tool_calls: tool_calls.map((call) => ({
                ...pickReturned(call as Readonly<Record<string, unknown>>),
                ...(typeof call.index === "number" && { index: call.index }),
                ...(typeof call.id === "string" && { id: call.id }),
                function: {
                  name: String(call.function?.name ?? ""),
                  arguments: readArguments(call.function?.arguments),
                },
              })),
            },
            finish_reason: keepText(first.finish_reason),
          },
        ]
      : [],
    ...(isObject(usage) && { usage }),
    ...(typeof service_tier === "string" && { service_tier }),
    ...(error && { error: { message: String(error.message) } }),
  };
}

/** The choice that becomes the Message. A server may send anything in its place. */
function findFirstChoice(choices: Chunk["choices"]) {
  return Array.isArray(choices) ? choices.find((choice) => choice && (choice.index ?? 0) === 0) : undefined;
}

function listToolCalls({ tool_calls }: Delta): readonly ToolCallPiece[] {
  return Array.isArray(tool_calls) ? tool_calls.filter(Boolean) : [];
}

function keepText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** What is known about a stream before its first chunk. */
interface MessageStream extends MessageReply {
  /** The estimated tokens; the end of the stream reports the charged number. */
  readonly promptTokens: number;
}

/** Anthropic's error types for streams that break off, by the gateway's code. */
const errorTypes: Readonly<Record<string, string>> = {
  provider_timeout: "timeout_error",
  context_length_exceeded: "invalid_request_error",
  content_filter: "invalid_request_error",
  store_unavailable: "overloaded_error",
};

/**
 * Translates chunks to Anthropic's stream events: message_start, then one block after another, each opened, filled and
 * closed, then message_delta with the stop reason and the usage, then message_stop.
 */
export class MessageEvents {
  #isStarted = false;
  readonly #blocks = new MessageBlocks();
  readonly #text: StreamedBlock = { start: { type: "text", text: "" }, text: "" };
  readonly #thinking: StreamedBlock;
  readonly #returned: ReturnedParts;
  readonly #calls: ToolCallBlocks;
  #choiceEnd: Parameters<typeof describeStop>[0] = {};
  #tier: unknown;
  #isRefused = false;
  #usage: unknown = null;

  constructor(private readonly options: MessageStream) {
    const { requestId, origin, toolNames, callIds, thinking } = options;
    this.#returned = new ReturnedParts(origin, thinking !== "shown");
    this.#calls = new ToolCallBlocks({ callId: toCallId(requestId), origin, toolNames, callIds });
    const start = { type: "thinking", thinking: "", signature: "" } as const;
    this.#thinking = { start, text: "", sign: () => this.#returned.take() };
  }

  /** @param chunk an event's content; null for a comment. @returns the resulting events as text. */
  translate(chunk: Chunk | "[DONE]" | null): string {
    if (chunk === null) return "";
    if (chunk === "[DONE]") return this.#start() + this.#end();
    if (chunk.error) return this.#fail(chunk.error);
    if (chunk.usage) this.#usage = chunk.usage;
    this.#tier ??= chunk.service_tier;
    const choice = findFirstChoice(chunk.choices);
    if (!choice) return "";
    if (choice.finish_reason)
      this.#choiceEnd = { ...pickChoiceEnd(choice), finish_reason: choice.finish_reason };
    return this.#start() + this.#write(choice.delta ?? {});
  }

  translateText(text: string): string {
    return this.#start() + this.#seal() + this.#blocks.add(this.#text, text);
  }

  #start(): string {
    if (this.#isStarted) return "";
    this.#isStarted = true;
    const { requestId, model, promptTokens } = this.options;
    const usage = toAnthropicUsage({ prompt_tokens: promptTokens, completion_tokens: 0 }, this.#tier);
    const empty = { content: [], stop_reason: null, stop_sequence: null, usage };
    const message = { id: toMessageId(requestId), type: "message", role: "assistant", model, ...empty };
    return writeEvent("message_start", { message });
  }

  #write(delta: Delta): string {
    const text = readText(delta);
    if (delta.refusal) this.#isRefused = true;
    let events = "";
    this.#returned.note(delta);
    const thinking = this.options.thinking === "shown" && readThinking(delta);
    if (thinking) events += this.#blocks.add(this.#thinking, thinking);
    const pieces = listToolCalls(delta);
    if (text || pieces.length > 0) events += this.#seal();
    if (text) events += this.#blocks.add(this.#text, text);
    for (const piece of pieces) {
      const block = this.#calls.find(piece);
      if (block) events += this.#blocks.add(block, readArguments(piece.function?.arguments));
    }
    return events;
  }

  /** Writes the seal of the provider's thinking, before the block that follows. */
  #seal(): string {
    const { thinking, hasTools } = this.options;
    if (this.#returned.isEmpty || this.#blocks.isSigning || (thinking === "off" && !hasTools)) return "";
    if (thinking === "omitted") return this.#blocks.add(this.#thinking, "");
    const start = { type: "redacted_thinking", data: this.#returned.take() } as const;
    return this.#blocks.add({ start, text: "" }, "");
  }

  #end(): string {
    const sealed = this.#seal();
    const { stops } = this.options;
    const delta = describeStop(this.#choiceEnd, {
      stops,
      callsTools: this.#calls.hasAny,
      isRefused: this.#isRefused,
    });
    const usage = toAnthropicUsage(this.#usage, this.#tier);
    return (
      sealed +
      this.#blocks.end() +
      writeEvent("message_delta", { delta, usage }) +
      writeEvent("message_stop", {})
    );
  }

  #fail({ message, code = "", provider_code }: NonNullable<Chunk["error"]>): string {
    const type = errorTypes[code] ?? "api_error";
    const error = { type, message, ...(code && { code }), ...(provider_code && { provider_code }) };
    return writeEvent("error", { error, request_id: this.options.requestId });
  }
}
