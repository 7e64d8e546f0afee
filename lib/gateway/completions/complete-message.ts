import { KnownResponse, respondWith } from "../http/known-response";
import { answerOnce, type OnceContext } from "./answer-once";
import { type CompletionContext, complete } from "./complete";
import { translateStream } from "./replies/translate-stream";
import { findCounting } from "./requests/counting";
import type { IncomingCall } from "./requests/incoming-call";
import type { CompletionRequest } from "./requests/prepared-request";

/**
 * Answers a request of Anthropic's Messages API with a chat completion, which is priced and limited as one.
 * @throws Refusal as `complete`; the gateway writes its body in Anthropic's form.
 */
export async function completeMessage(
  context: OnceContext & CompletionContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { fields, showsThinking = false } = incoming.request;
  const { requestId: ownId } = incoming.exchange;
  const model = context.catalogue.find(fields.model);
  const promptTokens =
    fields.stream && model
      ? (await incoming.request.estimate(findCounting(context.directory, model))).promptTokens
      : 0;
  const reply = await answerOnce(context, incoming, (call) => complete(context, call));
  reply.headers.set("request-id", ownId);
  // A replayed message keeps its id, which is derived from its request's.
  const requestId = reply.headers.get("original-request") ?? ownId;
  if (fields.stream && reply.body) {
    const stream = { requestId, model: fields.model, promptTokens, showsThinking };
    const events = translateStream(reply.body, stream, context.replyReader);
    return new Response(events, { headers: reply.headers });
  }
  const knownResponse = reply instanceof KnownResponse ? reply : null;
  const onTaken = () => knownResponse?.onTaken();
  try {
    const pieces = knownResponse?.pieces ?? [await reply.bytes()];
    const message = await context.replyReader.translateReply(pieces, { requestId, showsThinking });
    return respondWith(message, { headers: reply.headers }, onTaken);
  } catch (error) {
    onTaken();
    throw error;
  }
}
