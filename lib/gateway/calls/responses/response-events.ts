import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { isObject } from "@/lib/contract/json-value";
import { MessageBlocks, type StreamedBlock, toCallId, writeEvent } from "../anthropic/message-blocks";
import type { Chunk } from "../anthropic/message-events";
import { ReturnedParts } from "../anthropic/returned-parts";
import { type ChatCompletion, readArguments, ToolCallBlocks } from "../anthropic/translate-reply";
import { type EventWriter, OutputItems } from "./output-items";
import { type ResponseFacts, toResponseUsage } from "./response-facts";

type Fields = Readonly<Record<string, unknown>>;
type Choice = NonNullable<Chunk["choices"]>[number];
type Delta = NonNullable<Choice["delta"]>;

/** Facts of a response that its provider doesn't write. */
export interface ResponseReply extends ResponseFacts {
  readonly requestId: string;
  /** The server that gives it, as seals name it. */
  readonly origin: string;
  readonly createdAt: number;
}

/** What follows the last event of a response. */
export const DONE = "data: [DONE]\n\n";

/** Why an answer is not whole, by its `finish_reason`. */
const incompleteReasons: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  max_tokens: "max_output_tokens",
  model_length: "max_output_tokens",
  content_filter: "content_filter",
  safety: "content_filter",
};

/**
 * Translates chunks of a chat completion to the events of a response: created, its items one after another, and the
 * one event that tells how it ended.
 */
export class ResponseEvents {
  #sequence = 0;
  readonly #items: OutputItems;
  readonly #blocks: MessageBlocks;
  readonly #text: StreamedBlock = { start: { type: "text", text: "" }, text: "" };
  readonly #refusal: StreamedBlock = { start: { type: "refusal", refusal: "" }, text: "" };
  readonly #thinking: StreamedBlock;
  readonly #returned: ReturnedParts;
  readonly #calls: ToolCallBlocks;
  #finishReason: string | null = null;
  #usage: unknown = null;
  #tier: unknown = null;
  #isEnded = false;
  #response: Fields = {};

  constructor(
    private readonly reply: ResponseReply,
    private readonly nowS: () => number,
    /** Whether the events are written, or only the response that they make up is wanted. */
    private readonly isWritten = true,
  ) {
    const { requestId, origin, callIds } = reply;
    this.#items = new OutputItems(toStem(requestId), reply, (type, fields) => this.#write(type, fields));
    this.#blocks = new MessageBlocks(this.#items);
    this.#returned = new ReturnedParts(origin, false);
    this.#calls = new ToolCallBlocks({ callId: toCallId(requestId), origin, toolNames: {}, callIds });
    const start = { type: "thinking", thinking: "", signature: "" } as const;
    this.#thinking = { start, text: "", sign: () => this.#returned.take() };
  }

  /** The response as its last event tells it. */
  get response(): Fields {
    return this.#response;
  }

  /** Its items with what providers want again of their thinking. */
  get keptOutput(): readonly Fields[] {
    return this.#items.kept;
  }

  /** The events that begin a response. */
  start(): string {
    const response = `"response":${JSON.stringify(this.#describe("in_progress"))}`;
    return ["response.created", "response.in_progress"]
      .map((type) => this.#write(type, () => response))
      .join("");
  }

  /** @param chunk an event's content; null for a comment. @returns the resulting events as text. */
  translate(chunk: Chunk | "[DONE]" | null): string {
    if (chunk === null || this.#isEnded) return "";
    if (chunk === "[DONE]") return this.#end() + DONE;
    if (chunk.error) return this.#fail(chunk.error) + DONE;
    if (chunk.usage) this.#usage = chunk.usage;
    this.#tier ??= chunk.service_tier;
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const choice = choices.find((one) => isObject(one) && (one.index ?? 0) === 0);
    if (!choice) return "";
    if (typeof choice.finish_reason === "string") this.#finishReason = choice.finish_reason;
    return this.#tell(choice.delta ?? {}, choice);
  }

  /** Translates a chunk that has a text and nothing else. */
  translateText(text: string): string {
    return this.#isEnded ? "" : this.#seal() + this.#blocks.add(this.#text, text);
  }

  #write(...[type, fields]: Parameters<EventWriter>): string {
    if (!this.isWritten) return "";
    const sequence_number = this.#sequence++;
    if (typeof fields === "object") return writeEvent(type, { sequence_number, ...fields });
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${sequence_number},${fields()}}\n\n`;
  }

  #tell(delta: Delta, choice: Choice): string {
    let events = "";
    this.#returned.note(delta);
    const thinking = readThinking(delta);
    if (thinking) events += this.#blocks.add(this.#thinking, thinking);
    const text = readText({ content: delta.content });
    const refusal = typeof delta.refusal === "string" ? delta.refusal : "";
    const calls = (Array.isArray(delta.tool_calls) ? delta.tool_calls : []).filter(Boolean);
    if (text || refusal || calls.length > 0) events += this.#seal();
    if (this.reply.showsLogprobs) this.#items.noteLogprobs(listLogprobs(choice));
    if (text) events += this.#blocks.add(this.#text, text);
    if (refusal) events += this.#blocks.add(this.#refusal, refusal);
    for (const call of calls) {
      const block = this.#calls.find(call);
      if (block) events += this.#blocks.add(block, readArguments(call.function?.arguments));
    }
    return events;
  }

  /** An item with what the provider wants again of thinking that it didn't show. */
  #seal(): string {
    if (this.#returned.isEmpty || this.#blocks.isSigning) return "";
    return this.#blocks.add(this.#thinking, "");
  }

  #end(): string {
    this.#isEnded = true;
    const reason = incompleteReasons[(this.#finishReason ?? "").toLowerCase()];
    const status = reason ? "incomplete" : "completed";
    this.#items.lastStatus = status;
    const items = this.#seal() + this.#blocks.end();
    this.#response = this.#describe(status, { incomplete_details: reason ? { reason } : null });
    return items + this.#write(`response.${status}`, { response: this.#response });
  }

  #fail({ message, code = "server_error" }: NonNullable<Chunk["error"]>): string {
    this.#isEnded = true;
    this.#response = this.#describe("failed", { error: { code, message } });
    const error = this.#write("error", { code, message, param: null });
    return error + this.#write("response.failed", { response: this.#response });
  }

  /** The response as it stands. */
  #describe(status: string, ending: Fields = {}): Fields {
    const { requestId, asked, createdAt } = this.reply;
    const isOver = status === "completed";
    return {
      id: toResponseId(requestId),
      object: "response",
      created_at: createdAt,
      status,
      completed_at: isOver ? this.nowS() : null,
      error: null,
      incomplete_details: null,
      ...asked,
      ...(typeof this.#tier === "string" && { service_tier: this.#tier }),
      output: [...this.#items.done],
      usage: status === "in_progress" ? null : toResponseUsage(this.#usage),
      ...ending,
    };
  }
}

/** The whole response of a completion. Of several choices it has the first. */
export function writeResponse(completion: ChatCompletion, reply: ResponseReply, nowS: () => number): Fields {
  const events = new ResponseEvents(reply, nowS, false);
  const [choice] = completion.choices;
  const { tool_calls, ...message } = choice?.message ?? {};
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).map((call, index) => ({ ...call, index }));
  const { usage, service_tier } = completion;
  const told = { ...choice, index: 0, delta: { ...message, tool_calls: calls } } as Choice;
  events.translate({ choices: [told], usage, service_tier });
  events.translate("[DONE]");
  return events.response;
}

/** What the ids of a response and its items share with the id of its request. */
export function toStem(requestId: string): string {
  return requestId.replace(/^req_/, "");
}

/** The response's id for a request. */
export function toResponseId(requestId: string): string {
  return `resp_${toStem(requestId)}`;
}

function listLogprobs({ logprobs }: Choice & { readonly logprobs?: unknown }): readonly unknown[] {
  return isObject(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : [];
}
