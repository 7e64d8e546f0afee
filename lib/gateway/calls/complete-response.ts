import { LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/completions";
import { TOOLS_LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/responses";
import { BufferedResponse, respondWith, StreamedResponse } from "../http/response";
import { toUnixSeconds } from "../unix-seconds";
import { answerOnce, type OnceContext } from "./answer-once";
import { toOrigin } from "./anthropic/returned-parts";
import { type CompletionContext, complete } from "./call";
import { translateStream } from "./replies/translate-stream";
import type { IncomingCall } from "./requests/incoming-call";
import { type CompletionRequest, findCounting } from "./requests/prepared-request";
import { ResponseEvents, type ResponseReply } from "./responses/response-events";

/**
 * Answers a request of OpenAI's Responses API with a chat completion that is translated, whole or event by event.
 * @throws Refusal as `complete`.
 */
export async function completeResponse(
  context: OnceContext & CompletionContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { request, requestContext } = incoming;
  const { requestId: ownId } = requestContext;
  const model = context.catalogue.find(request.fields.model);
  // A replayed answer is taken for one of the model's first provider.
  let server = context.directory.find(model?.routes[0]?.provider ?? "")?.baseUrl ?? "";
  const noteAnswering = (baseUrl: string) => {
    server = baseUrl;
  };
  const reply = await answerOnce(context, incoming, (call) => complete(context, { ...call, noteAnswering }));
  // By this it is translated where it was not before, as the request of a replayed answer.
  if (model && !request.response) await request.estimate(findCounting(context.directory, model));
  const { response: asked, leftOut = [] } = request;
  if (!asked) throw new TypeError("A response was answered before its request was read");
  if (leftOut.length > 0) reply.headers.set(LEFT_OUT_HEADER, leftOut.join(", "));
  if (asked.toolsLeftOut.length > 0) reply.headers.set(TOOLS_LEFT_OUT_HEADER, asked.toolsLeftOut.join(", "));
  const nowS = () => toUnixSeconds(context.runtime.clock.nowMs());
  // A replayed response keeps its id, which is derived from its request's.
  const requestId = reply.headers.get("original-request") ?? ownId;
  const facts: ResponseReply = { ...asked, requestId, origin: toOrigin(server), createdAt: nowS() };
  if (request.fields.stream && reply.body) {
    const events = translateStream(
      reply.body,
      new ResponseEvents(facts, nowS),
      context.replyReader,
      (error) => context.logFault(ownId, error),
    );
    return new StreamedResponse(events, { headers: reply.headers });
  }
  const buffered = reply instanceof BufferedResponse ? reply : null;
  const onTaken = () => buffered?.onTaken?.();
  try {
    const pieces = buffered?.pieces ?? [await reply.bytes()];
    const response = await context.replyReader.writeResponse(pieces, facts, nowS());
    return respondWith(response, { headers: reply.headers }, onTaken);
  } catch (error) {
    onTaken();
    throw error;
  }
}
