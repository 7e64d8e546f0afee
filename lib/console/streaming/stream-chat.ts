import * as z from "zod/mini";
import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { readText, readThinking } from "@/lib/contract/calls/read-answer";
import { parseJson } from "@/lib/contract/json-value";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Connection, LooseRequest } from "../gateway/gateway-request";
import { createProblem, orNull } from "../gateway/problem";
import { readStreamProblem } from "../gateway/read-problem";
import { readReply } from "../gateway/read-reply";
import { hasMediaType } from "../gateway/send-request";
import {
  type ChatEvent,
  describeBrokenAnswer,
  describeRawReply,
  formatJson,
  MAX_KEPT_LENGTH,
  openAnswer,
  readEventStream,
} from "./chat-event";
import { ResponseReader } from "./read-response-event";

interface ChatOptions {
  /** The project that is charged for the call, since a session isn't bound to one. */
  readonly projectId: string | null;
  readonly signal: AbortSignal;
  readonly endpoint?: ChatEndpoint;
  /** The name under which the gateway stores the answer. With it, the call continues after this connection ends. */
  readonly keepAs?: string | undefined;
  /** The id of a key whose scopes and limits apply. */
  readonly runAs?: string | undefined;
}

/** A stored answer: its name (`conv_…/answer id`), and the API that produced it. */
export interface StoredAnswer {
  readonly name: string;
  readonly endpoint: ChatEndpoint;
}

/** Reads the events or chunks of one answer, or a whole one. */
interface DataReader {
  read(json: unknown, requestId: string | null): Iterable<ChatEvent>;
}

/** How each endpoint is asked, and its answers are read. */
const apis: Readonly<Record<ChatEndpoint, ChatApi>> = {
  chat_completions: {
    operation: operations.createChatCompletion,
    headers: {},
    streamed: { stream: true, stream_options: { include_usage: true } },
    createReader: () => ({ read: readChatChunk }),
  },
  messages: {
    operation: operations.createMessage,
    headers: { "anthropic-version": "2023-06-01" },
    streamed: { stream: true },
    createReader: () => new MessageReader(),
  },
  responses: {
    operation: operations.createResponse,
    headers: {},
    streamed: { stream: true },
    // Its first and last events repeat the instructions and tools of the request, which has at most 16 MB.
    maxLineLength: 20_000_000,
    createReader: () => new ResponseReader(),
  },
};

interface ChatApi {
  readonly operation: Operation;
  readonly headers: Readonly<Record<string, string>>;
  /** The fields that ask for a stream with its usage. */
  readonly streamed: object;
  readonly maxLineLength?: number;
  readonly createReader: () => DataReader;
}

/**
 * Asks a chat model for a streamed answer. A gateway that knows no streams answers as a whole, which is read, too.
 * Aborting the signal closes the connection, upon which the gateway stops the provider's call.
 * @throws when the signal aborts.
 */
export async function* streamChat(
  connection: Connection,
  body: object,
  { projectId, signal, endpoint = "chat_completions", keepAs, runAs }: ChatOptions,
): AsyncGenerator<ChatEvent> {
  const api = apis[endpoint];
  const headers: Record<string, string> = {
    ...(projectId !== null && { "openai-project": projectId }),
    ...api.headers,
    ...(keepAs !== undefined && { [KEEP_ANSWER_HEADER]: keepAs }),
    ...(runAs !== undefined && { [RUN_AS_HEADER]: runAs }),
  };
  const request = { body: { ...body, ...api.streamed }, headers, signal };
  yield* streamReply(connection, api.operation, request, endpoint);
}

/**
 * Streams a stored answer from its first event, in the same form as `streamChat`.
 * @throws when the signal aborts.
 */
export async function* followAnswer(
  connection: Connection,
  { name, endpoint }: StoredAnswer,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const [conversation_id = "", answer_id = ""] = name.split("/");
  const request = { params: { conversation_id, answer_id }, signal };
  yield* streamReply(connection, operations.retrieveConversationAnswer, request, endpoint);
}

async function* streamReply(
  connection: Connection,
  operation: Operation,
  request: LooseRequest & { readonly signal: AbortSignal },
  endpoint: ChatEndpoint,
): AsyncGenerator<ChatEvent> {
  const response = yield* openAnswer(connection, operation, request);
  if (!response) return;
  const requestId = response.headers.get("x-request-id");
  const maxTokens = Number(response.headers.get("x-gatehouse-max-tokens") ?? Number.NaN);
  yield { type: "start", requestId, maxTokens: Number.isInteger(maxTokens) ? maxTokens : null };
  const { createReader, maxLineLength } = apis[endpoint];
  const reader = createReader();
  try {
    if (hasMediaType(response, "text/event-stream") && response.body) {
      yield* readStreamed(response, readEventStream(response.body, maxLineLength), reader);
    } else {
      const reply = await readReply(response);
      yield* endWith(describeRawReply(response, formatJson(reply)), reader.read(reply, requestId));
    }
  } catch (error) {
    if (request.signal.aborted) throw error;
    yield { type: "problem", problem: describeBrokenAnswer(error, requestId) };
  }
}

/** The events of a whole reply, with the reply itself before a problem, which is the last. */
function* endWith(rawReply: ChatEvent, events: Iterable<ChatEvent>): Generator<ChatEvent> {
  for (const event of events) {
    if (event.type === "problem") yield rawReply;
    yield event;
    if (event.type === "problem") return;
  }
  yield rawReply;
}

async function* readStreamed(
  response: Response,
  stream: AsyncIterable<string>,
  reader: DataReader,
): AsyncGenerator<ChatEvent> {
  const requestId = response.headers.get("x-request-id");
  let isFinished = false;
  let text = "";
  for await (const data of stream) {
    if (text.length < MAX_KEPT_LENGTH) text += `data: ${data}\n\n`;
    if (data === "[DONE]") break;
    for (const event of reader.read(parseJson(data), requestId)) {
      if (event.type === "problem") yield describeRawReply(response, text);
      yield event;
      if (event.type === "problem") return;
      if (event.type === "finish") isFinished = true;
    }
  }
  yield describeRawReply(response, text);
  if (!isFinished) {
    const message = "The answer broke off before its end. What came until then is shown, and was charged.";
    yield { type: "problem", problem: createProblem("failed", message, { requestId }) };
  }
}

const tokenUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  prompt_tokens_details: orNull(z.object({ cached_tokens: orNull(z.number()) })),
  completion_tokens_details: orNull(z.object({ reasoning_tokens: orNull(z.number()) })),
});

const toolCall = z.object({
  index: orNull(z.number()),
  id: orNull(z.string()),
  function: orNull(z.object({ name: orNull(z.string()), arguments: orNull(z.string()) })),
});

const messagePart = orNull(
  z.object({
    content: z.optional(z.unknown()),
    refusal: orNull(z.string()),
    reasoning_content: orNull(z.string()),
    reasoning: orNull(z.string()),
    tool_calls: orNull(z.array(toolCall)),
  }),
);

/** A `chat.completion.chunk` or a whole `chat.completion`: the former has `delta`, the latter `message`. */
const completion = z.object({
  choices: orNull(
    z.array(
      z.object({
        index: orNull(z.number()),
        delta: messagePart,
        message: messagePart,
        finish_reason: orNull(z.string()),
      }),
    ),
  ),
  usage: orNull(tokenUsage),
  error: z.optional(z.unknown()),
});

/**
 * The events of a chat completion's chunk, or of a whole completion: of its first answer, if several were asked for.
 */
function* readChatChunk(json: unknown, requestId: string | null): Generator<ChatEvent> {
  const result = completion.safeParse(json);
  if (!result.success) {
    const message = "The gateway's answer is not a chat completion.";
    yield { type: "problem", problem: createProblem("failed", message, { requestId }) };
    return;
  }
  const { choices, usage, error } = result.data;
  if (error !== undefined && error !== null) {
    yield { type: "problem", problem: readStreamProblem(json, requestId) };
    return;
  }
  const choice = choices?.find(({ index }) => (index ?? 0) === 0);
  const words = choice?.delta ?? choice?.message;
  const thinking = words && readThinking(words);
  if (thinking) yield { type: "thinking", text: thinking };
  const text = words && readText(words);
  if (text) yield { type: "text", text };
  for (const [callIndex, call] of (words?.tool_calls ?? []).entries()) {
    const { name = null, arguments: input } = call.function ?? {};
    yield { type: "tool_call", index: call.index ?? callIndex, id: call.id, name, arguments: input ?? "" };
  }
  if (choice?.finish_reason) yield { type: "finish", reason: choice.finish_reason };
  if (usage) {
    yield {
      type: "usage",
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
      totalTokens: usage.total_tokens,
      cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? undefined,
      reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? undefined,
    };
  }
}

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
