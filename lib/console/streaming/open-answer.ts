import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import type { AnyOperation, Connection, LooseRequest } from "../gateway/gateway-request";
import { createProblem, type Problem } from "../gateway/problem";
import { ReplyTooLarge, readReply } from "../gateway/read-reply";
import { dispatch } from "../gateway/send-request";
import type { ChatEvent } from "./chat-event";
import { LineTooLong } from "./read-event-stream";

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
