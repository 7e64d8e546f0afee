import type { Task } from "@/lib/contract/operations/tasks/task";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import type { AnyOperation, Connection, LooseRequest } from "../gateway/gateway-request";
import { createProblem, type Problem } from "../gateway/problem";
import { ReplyTooLarge, readReply } from "../gateway/read-reply";
import { dispatch } from "../gateway/send-request";

// Safe for the browser: no imports but types.

/** The raw reply, as far as it is kept. */
export interface RawReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Whether the body was longer than is shown. */
  readonly isCut: boolean;
}

/** An item of a response as its provider wrote it. */
export type OutputItem = Readonly<Record<string, unknown>>;

/** What a model that isn't a chat model answered. */
export type MediaOutput =
  /** A file that the gateway makes in a task, or has made. */
  | { readonly kind: "task"; readonly task: Task }
  /** Base64; empty if the page was loaded since and the audio was too large to be kept. */
  | { readonly kind: "speech"; readonly mimeType: string; readonly bytes: number; readonly data: string }
  /** The text is the answer's. */
  | { readonly kind: "transcript" }
  | { readonly kind: "embedding"; readonly vector: readonly number[] }
  | {
      readonly kind: "moderation";
      readonly flagged: boolean;
      readonly categories: readonly {
        readonly name: string;
        readonly flagged: boolean;
        readonly score: number | null;
      }[];
    };

/** The events of an answer. `start` is the first unless the call was refused, `problem` the last. */
export type ChatEvent =
  /** `maxTokens` is the lowered output limit, if the model writes no more or the balance covers no more. */
  | { readonly type: "start"; readonly requestId: string | null; readonly maxTokens: number | null }
  | { readonly type: "text"; readonly text: string }
  /** The model's thinking, if its provider shows it. */
  | { readonly type: "thinking"; readonly text: string }
  /** A part of a tool call: the id and name come once, the arguments in pieces. */
  | {
      readonly type: "tool_call";
      readonly index: number;
      readonly id: string | null;
      readonly name: string | null;
      readonly arguments: string;
    }
  /** An item of a response that is neither text nor a function call: sealed reasoning, or a tool of another kind. */
  | { readonly type: "item"; readonly item: OutputItem }
  /** Replaces the output before it: a task is reported each time it has changed. */
  | { readonly type: "output"; readonly output: MediaOutput }
  | { readonly type: "finish"; readonly reason: string }
  | {
      readonly type: "usage";
      readonly promptTokens: number;
      readonly completionTokens: number;
      readonly totalTokens: number;
      /** Those of the prompt that were read from a cache, and of the answer that are reasoning; absent if unknown. */
      readonly cachedTokens?: number | undefined;
      readonly reasoningTokens?: number | undefined;
    }
  /** Sent once, after the reply has ended or was refused. */
  | { readonly type: "reply"; readonly reply: RawReply }
  | { readonly type: "problem"; readonly problem: Problem };

/** The length of the reply that is kept for inspection. */
export const MAX_KEPT_LENGTH = 200_000;

/**
 * Sends a call and returns its reply, whose body is still to be read. Yields the refusal and returns null if there is
 * none; yields nothing if the signal aborts.
 */
export async function* openAnswer(
  connection: Connection,
  operation: AnyOperation,
  request: LooseRequest & { readonly signal: AbortSignal },
): AsyncGenerator<ChatEvent, Response | null> {
  let response: Response;
  try {
    response = await dispatch(connection, operation, request);
  } catch (error) {
    if (!request.signal.aborted) yield { type: "problem", problem: buildUnreachable(connection, error) };
    return null;
  }
  if (response.ok) return response;
  const refusal = await readReply(response).catch(() => undefined);
  yield describeRawReply(response, formatJson(refusal));
  yield { type: "problem", problem: buildRefusal(response, refusal, operation, request) };
  return null;
}

/** The reply as far as it is shown. */
export function describeRawReply(
  { status, headers }: Pick<Response, "status" | "headers">,
  body: string,
): ChatEvent {
  const isCut = body.length > MAX_KEPT_LENGTH;
  return {
    type: "reply",
    reply: { status, headers: [...headers], body: body.slice(0, MAX_KEPT_LENGTH), isCut },
  };
}

/** JSON as it is shown; an empty text for undefined. */
export function formatJson(json: unknown): string {
  return JSON.stringify(json, null, 2) ?? "";
}

/** The problem of an answer whose reply began and could not be read to its end. */
export function describeBrokenAnswer(error: unknown, requestId: string | null): Problem {
  if (error instanceof ReplyTooLarge) return createProblem("failed", error.message, { requestId });
  if (error instanceof LineTooLong) {
    const words = `${error.message} What the model had written until then may have been charged.`;
    return createProblem("failed", words, { requestId });
  }
  const message =
    "The gateway stopped answering. What the model had written until then may have been charged.";
  return createProblem("unreachable", message, { requestId });
}

const MAX_LINE_LENGTH = 1_000_000;

/** Thrown at a line that is too long, of which nothing more is read. */
export class LineTooLong extends Error {
  constructor(maxLength: number) {
    const millions = maxLength === MAX_LINE_LENGTH ? "a million" : `${maxLength / 1_000_000} million`;
    super(`The answer has a line of more than ${millions} characters, which the console does not read.`);
  }
}

/**
 * Yields the `data` of each event of a server-sent event stream, as the HTML standard frames it: lines end in LF, CR or
 * CRLF, comments and other fields are skipped, several `data` lines are joined.
 * @throws LineTooLong, and the body's own errors.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  maxLineLength = MAX_LINE_LENGTH,
): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body, maxLineLength)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
    }
  }
  // The standard drops a final event without a blank line after it. Some gateways omit that line, so accept the event.
  if (data.length > 0) yield data.join("\n");
}

async function* readLines(body: ReadableStream<Uint8Array>, maxLength: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unreadText = "";
  for await (const chunk of body) {
    unreadText += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be the first part of a CRLF, so it waits for the next chunk.
    const lines = unreadText.split(/\r\n|\n|\r(?!$)/);
    unreadText = lines.pop() ?? "";
    for (const line of lines) yield requireShort(line, maxLength);
    requireShort(unreadText, maxLength);
  }
  unreadText += decoder.decode();
  if (unreadText) yield* unreadText.split(/\r\n|\n|\r/);
}

/** A long line is refused although it has an end, so that it doesn't matter in which chunks it comes. */
function requireShort(line: string, maxLength: number): string {
  if (line.length > maxLength) throw new LineTooLong(maxLength);
  return line;
}
