import { isObject } from "@/lib/contract/json-value";
import {
  type ChatReply,
  isThinking,
  sealThinking,
  toChatUsage,
  toFinishReason,
  toReasoningDetail,
} from "./write-chat-reply";

type Fields = Record<string, unknown>;

const DONE = "data: [DONE]\n\n";

/** Translates the events of Anthropic's streams to `chat.completion.chunk` events. */
export class ChatChunks {
  #head: Fields = {};
  #usage: Fields = {};
  #calls = 0;
  readonly #blocks = new Map<unknown, Fields>();
  /** The text of a custom tool's arguments, which is told once it is whole. */
  readonly #inputs = new Map<unknown, string>();

  constructor(private readonly reply: ChatReply) {}

  /** @param event the data of an event. @returns the resulting events as text. */
  translate(event: Fields): string {
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

  #open(index: unknown, block: Fields): string {
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

  get #thinking(): Fields[] {
    return [...this.#blocks.values()].filter(isThinking);
  }

  #fill(index: unknown, { text, thinking, signature, partial_json: json }: Fields): string {
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

  #tellInput(index: unknown, block: Fields, json: string): string {
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

  #end({ delta, usage }: Fields): string {
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
function joinUsage(before: Fields, after: Fields): Fields {
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
