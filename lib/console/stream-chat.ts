import * as z from "zod/mini";
import { operations } from "@/lib/contract/operation-table";
import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";
import { orNull } from "./or-null";
import { type Problem, plainProblem } from "./problem";
import { readEventStream } from "./read-event-stream";
import { readStreamProblem } from "./read-problem";
import { ReplyTooLarge, readReply } from "./read-reply";
import { type Connection, dispatch, refusalOf, unreachable } from "./send-request";

/** What happens while a chat model answers, in this order; `problem` ends it at any point. */
export type ChatEvent =
  /** `maxTokens` is what the gateway lowered the output to, because the balance covers no more. */
  | { readonly type: "start"; readonly requestId: string | null; readonly maxTokens: number | null }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "finish"; readonly reason: string }
  | {
      readonly type: "usage";
      readonly promptTokens: number;
      readonly completionTokens: number;
      readonly totalTokens: number;
    }
  | { readonly type: "problem"; readonly problem: Problem };

const tokenUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});
const said = orNull(z.object({ content: orNull(z.string()) }));

/** A `chat.completion.chunk` or a whole `chat.completion`: `delta` in one is `message` in the other. */
const completion = z.object({
  choices: orNull(z.array(z.object({ delta: said, message: said, finish_reason: orNull(z.string()) }))),
  usage: orNull(tokenUsage),
  error: z.optional(z.unknown()),
});

interface ChatOptions {
  /** A session has no project of its own: whose limits and keys the call counts for. */
  readonly projectId: string | null;
  readonly signal: AbortSignal;
}

/**
 * Asks a chat model for a streamed answer. A gateway that answers whole (section 4.1 shows no stream format) is
 * understood too. Aborting the signal closes the connection, on which the gateway stops the provider's call.
 * @throws when the signal aborts.
 */
export async function* streamChat(
  connection: Connection,
  body: ChatCompletionRequest,
  { projectId, signal }: ChatOptions,
): AsyncGenerator<ChatEvent> {
  const operation = operations.createChatCompletion;
  const headers: Record<string, string> = projectId === null ? {} : { "openai-project": projectId };
  const request = {
    body: { ...body, stream: true, stream_options: { include_usage: true } },
    headers,
    signal,
  };
  let response: Response;
  try {
    response = await dispatch(connection, operation, request);
  } catch (error) {
    if (!signal.aborted) yield { type: "problem", problem: unreachable(connection, error) };
    return;
  }
  if (!response.ok) {
    const refusal = await readReply(response).catch(() => undefined);
    yield { type: "problem", problem: refusalOf(response, refusal, operation, request) };
    return;
  }
  const requestId = response.headers.get("x-request-id");
  const maxTokens = Number(response.headers.get("x-gatehouse-max-tokens") ?? Number.NaN);
  yield { type: "start", requestId, maxTokens: Number.isInteger(maxTokens) ? maxTokens : null };
  try {
    if (response.headers.get("content-type")?.startsWith("text/event-stream") && response.body) {
      yield* streamed(response.body, requestId);
    } else {
      yield* eventsOf(await readReply(response), requestId);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    const problem =
      error instanceof ReplyTooLarge
        ? plainProblem("failed", error.message, { requestId })
        : plainProblem("unreachable", stoppedAnswering, { requestId });
    yield { type: "problem", problem };
  }
}

const stoppedAnswering =
  "The gateway stopped answering. What the model had written until then may have been charged.";

async function* streamed(
  body: ReadableStream<Uint8Array>,
  requestId: string | null,
): AsyncGenerator<ChatEvent> {
  let isFinished = false;
  for await (const data of readEventStream(body)) {
    if (data === "[DONE]") return;
    for (const event of eventsOf(parseJson(data), requestId)) {
      yield event;
      if (event.type === "problem") return;
      if (event.type === "finish") isFinished = true;
    }
  }
  if (!isFinished) {
    const message = "The answer broke off before its end. What came until then is shown, and was charged.";
    yield { type: "problem", problem: plainProblem("failed", message, { requestId }) };
  }
}

function* eventsOf(json: unknown, requestId: string | null): Generator<ChatEvent> {
  const parsed = completion.safeParse(json);
  if (!parsed.success) {
    const message = "The gateway's answer is not a chat completion.";
    yield { type: "problem", problem: plainProblem("failed", message, { requestId }) };
    return;
  }
  const { choices, usage, error } = parsed.data;
  if (error !== undefined && error !== null) {
    yield { type: "problem", problem: readStreamProblem(json, requestId) };
    return;
  }
  const choice = choices?.[0];
  const text = choice?.delta?.content ?? choice?.message?.content;
  if (text) yield { type: "text", text };
  if (choice?.finish_reason) yield { type: "finish", reason: choice.finish_reason };
  if (usage) {
    yield {
      type: "usage",
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
      totalTokens: usage.total_tokens,
    };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
