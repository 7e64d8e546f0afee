import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import { parseJson } from "@/lib/contract/json-value";
import type { Operation } from "@/lib/contract/operation";
import { operations } from "@/lib/contract/operation-table";
import { RUN_AS_HEADER } from "@/lib/contract/operations/calls/completions";
import { KEEP_ANSWER_HEADER } from "@/lib/contract/operations/playground/conversations";
import type { Connection, LooseRequest } from "../gateway/gateway-request";
import { createProblem } from "../gateway/problem";
import { readReply } from "../gateway/read-reply";
import { hasMediaType } from "../gateway/send-request";
import type { ChatEvent } from "./chat-event";
import {
  describeBrokenAnswer,
  describeRawReply,
  formatJson,
  MAX_KEPT_LENGTH,
  openAnswer,
} from "./open-answer";
import { readChatChunk } from "./read-chat-chunk";
import { readEventStream } from "./read-event-stream";
import { MessageReader } from "./read-message-event";
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
