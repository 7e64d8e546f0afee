import * as z from "zod/mini";
import { orNull } from "../gateway/or-null";
import { createProblem } from "../gateway/problem";
import { readStreamProblem } from "../gateway/read-problem";
import type { ChatEvent } from "./chat-event";

const counts = orNull(z.object({ input_tokens: orNull(z.number()), output_tokens: orNull(z.number()) }));
const block = z.object({
  type: z.string(),
  id: orNull(z.string()),
  name: orNull(z.string()),
  text: orNull(z.string()),
  thinking: orNull(z.string()),
  input: z.optional(z.unknown()),
});

/** An event of Anthropic's message stream, or a whole message. */
const messageEvent = z.object({
  type: z.string(),
  index: orNull(z.number()),
  message: orNull(z.object({ usage: counts })),
  content_block: orNull(block),
  content: orNull(z.array(block)),
  delta: orNull(
    z.object({
      type: orNull(z.string()),
      text: orNull(z.string()),
      thinking: orNull(z.string()),
      partial_json: orNull(z.string()),
      stop_reason: orNull(z.string()),
    }),
  ),
  stop_reason: orNull(z.string()),
  usage: counts,
});
type MessageEvent = z.output<typeof messageEvent>;

/** Reads one reply of the Messages API. Prompt tokens are reported at its start, output tokens at its end. */
export class MessageReader {
  #promptTokens = 0;

  *read(json: unknown, requestId: string | null): Generator<ChatEvent> {
    const result = messageEvent.safeParse(json);
    if (!result.success) {
      const message = "The gateway's answer is not a message.";
      yield { type: "problem", problem: createProblem("failed", message, { requestId }) };
      return;
    }
    const event = result.data;
    switch (event.type) {
      case "error":
        yield { type: "problem", problem: readStreamProblem(json, requestId) };
        return;
      case "message_start":
        this.#promptTokens = event.message?.usage?.input_tokens ?? 0;
        return;
      case "content_block_start":
        if (event.content_block) yield* startBlock(event.content_block, event.index ?? 0);
        return;
      case "content_block_delta":
        yield* readDelta(event);
        return;
      case "message_delta":
        yield* this.#end(event.delta?.stop_reason ?? null, event.usage);
        return;
      case "message":
        for (const [index, part] of (event.content ?? []).entries()) yield* readWholeBlock(part, index);
        this.#promptTokens = event.usage?.input_tokens ?? 0;
        yield* this.#end(event.stop_reason, event.usage);
    }
  }

  *#end(reason: string | null, usage: MessageEvent["usage"]): Generator<ChatEvent> {
    if (reason) yield { type: "finish", reason };
    if (usage?.output_tokens === null || usage?.output_tokens === undefined) return;
    const promptTokens = usage.input_tokens ?? this.#promptTokens;
    const completionTokens = usage.output_tokens;
    yield { type: "usage", promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  }
}

type Block = z.output<typeof block>;

function* startBlock({ type, id, name }: Block, index: number): Generator<ChatEvent> {
  if (type === "tool_use") yield { type: "tool_call", index, id, name, arguments: "" };
}

function* readWholeBlock(part: Block, index: number): Generator<ChatEvent> {
  if (part.thinking) yield { type: "thinking", text: part.thinking };
  if (part.text) yield { type: "text", text: part.text };
  if (part.type !== "tool_use") return;
  yield {
    type: "tool_call",
    index,
    id: part.id,
    name: part.name,
    arguments: JSON.stringify(part.input ?? {}),
  };
}

function* readDelta({ delta, index }: MessageEvent): Generator<ChatEvent> {
  if (delta?.thinking) yield { type: "thinking", text: delta.thinking };
  if (delta?.text) yield { type: "text", text: delta.text };
  if (delta?.partial_json) {
    yield { type: "tool_call", index: index ?? 0, id: null, name: null, arguments: delta.partial_json };
  }
}
