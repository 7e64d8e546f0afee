import * as z from "zod/mini";
import { isObject } from "@/lib/contract/json-value";
import { createProblem, orNull } from "../gateway/problem";
import { readStreamProblem } from "../gateway/read-problem";
import type { ChatEvent } from "./chat-event";

const text = orNull(z.string());
const count = orNull(z.number());
const part = z.object({ type: text, text, refusal: text });

const item = z.object({
  type: text,
  call_id: text,
  name: text,
  arguments: text,
  summary: orNull(z.array(part)),
  content: orNull(z.array(part)),
});
type Item = z.output<typeof item>;

const response = z.object({
  status: text,
  output: orNull(z.array(item)),
  incomplete_details: orNull(z.object({ reason: text })),
  error: orNull(z.object({ message: text, code: text })),
  usage: orNull(
    z.object({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: orNull(z.object({ cached_tokens: count })),
      output_tokens_details: orNull(z.object({ reasoning_tokens: count })),
    }),
  ),
});
type ReadResponse = z.output<typeof response>;

/** An event of a response's stream, or a whole response, which has an `object` instead of a `type`. */
const responseEvent = z.object({
  type: text,
  object: text,
  output_index: count,
  content_index: count,
  summary_index: count,
  delta: text,
  item: orNull(item),
  response: orNull(response),
  error: z.optional(z.unknown()),
});
type ResponseEvent = z.output<typeof responseEvent>;

/** Reads one reply of OpenAI's Responses API, whose items and their parts come one after another. */
export class ResponseReader {
  /** The part that the last piece of each kind belongs to: another one begins a paragraph. */
  readonly #places = new Map<"text" | "thinking", string>();
  #isRefusal = false;

  *read(json: unknown, requestId: string | null): Generator<ChatEvent> {
    const result = responseEvent.safeParse(json);
    const event = result.data;
    if (!event || (event.type === null && event.object !== "response" && !event.error)) {
      const message = "The gateway's answer is not a response.";
      yield { type: "problem", problem: createProblem("failed", message, { requestId }) };
    } else if (event.object === "response") {
      yield* this.#readWhole(response.parse(json), requestId);
      for (const one of Array.isArray(Object(json).output) ? Object(json).output : []) yield* readItem(one);
    } else if (event.type === "error" || event.type === null) {
      yield { type: "problem", problem: readStreamProblem(json, requestId) };
    } else {
      if (event.type === "response.output_item.done") yield* readItem(Object(json).item);
      yield* this.#readEvent(event, event.type, requestId);
    }
  }

  *#readEvent(event: ResponseEvent, type: string, requestId: string | null): Generator<ChatEvent> {
    const { output_index: index, delta } = event;
    switch (type) {
      case "response.output_item.added":
        if (event.item) yield* startCall(event.item, index ?? 0);
        return;
      case "response.refusal.delta":
        this.#isRefusal = true;
        yield* this.#piece("text", delta, `${index} ${event.content_index}`);
        return;
      case "response.output_text.delta":
        yield* this.#piece("text", delta, `${index} ${event.content_index}`);
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield* this.#piece(
          "thinking",
          delta,
          `${type} ${index} ${event.summary_index} ${event.content_index}`,
        );
        return;
      case "response.function_call_arguments.delta":
        yield { type: "tool_call", index: index ?? 0, id: null, name: null, arguments: delta ?? "" };
        return;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        if (event.response) yield* this.#end(event.response, requestId);
    }
  }

  *#piece(type: "text" | "thinking", piece: string | null, place: string): Generator<ChatEvent> {
    if (!piece) return;
    const last = this.#places.get(type);
    this.#places.set(type, place);
    yield { type, text: last === undefined || last === place ? piece : `\n\n${piece}` };
  }

  *#readWhole(whole: ReadResponse, requestId: string | null): Generator<ChatEvent> {
    for (const [index, one] of (whole.output ?? []).entries()) {
      yield* startCall(one, index);
      const kind = one.type === "reasoning" ? "thinking" : "text";
      for (const [at, { type, text: words, refusal }] of [
        ...(one.summary ?? []),
        ...(one.content ?? []),
      ].entries()) {
        this.#isRefusal ||= type === "refusal";
        yield* this.#piece(kind, words ?? refusal, `${index} ${at}`);
      }
    }
    yield* this.#end(whole, requestId);
  }

  *#end(ended: ReadResponse, requestId: string | null): Generator<ChatEvent> {
    const { status, error, incomplete_details, usage } = ended;
    if (status === "incomplete") yield { type: "finish", reason: incomplete_details?.reason ?? "incomplete" };
    else if (status === "completed") yield { type: "finish", reason: this.#isRefusal ? "refusal" : status };
    if (usage) {
      const promptTokens = usage.input_tokens ?? 0;
      const completionTokens = usage.output_tokens ?? 0;
      yield {
        type: "usage",
        promptTokens,
        completionTokens,
        totalTokens: promptTokens + completionTokens,
        cachedTokens: usage.input_tokens_details?.cached_tokens ?? undefined,
        reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? undefined,
      };
    }
    if (status === "failed") yield { type: "problem", problem: readStreamProblem({ error }, requestId) };
  }
}

/** Larger items, such as pictures, are in the raw reply alone. */
const MAX_ITEM_CHARACTERS = 200_000;

/** Reasoning is sent back as far as it is sealed, and without what its provider keeps nothing by. */
function* readItem(one: unknown): Generator<ChatEvent> {
  if (!isObject(one) || one.type === "message" || one.type === "function_call") return;
  if (JSON.stringify(one).length > MAX_ITEM_CHARACTERS) return;
  const { id: _, status: __, ...thought } = one;
  if (one.type !== "reasoning") yield { type: "item", item: one };
  else if (typeof one.encrypted_content === "string") yield { type: "item", item: thought };
}

function* startCall(called: Item, index: number): Generator<ChatEvent> {
  if (called.type !== "function_call") return;
  yield {
    type: "tool_call",
    index,
    id: called.call_id,
    name: called.name,
    arguments: called.arguments ?? "",
  };
}
