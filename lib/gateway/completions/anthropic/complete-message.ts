import { completeOnce, type OnceContext } from "../complete-once";
import type { Order } from "../order";
import { promptReader } from "../prompt-reader";
import { translateReply } from "./translate-reply";
import { translateStream } from "./translate-stream";

/**
 * Answers a request of Anthropic's Messages API by way of a chat completion, priced and limited as one.
 * @throws Refusal as `complete` does; its body is written in Anthropic's form by whoever answers it.
 */
export async function completeMessage(context: OnceContext, order: Order): Promise<Response> {
  const { fields, showsThinking } = order.request;
  const { requestId: ownId } = order.exchange;
  const model = context.catalogue.find(fields.model);
  const promptTokens =
    fields.stream && model
      ? (await order.request.estimate(promptReader(context.directory, model))).promptTokens
      : 0;
  const reply = await completeOnce(context, order);
  reply.headers.set("request-id", ownId);
  // A replayed message keeps the id it had, which is made from its request's.
  const requestId = reply.headers.get("original-request") ?? ownId;
  if (fields.stream && reply.body) {
    const stream = { requestId, model: fields.model, promptTokens, showsThinking };
    const events = translateStream(reply.body, stream);
    return new Response(events, { headers: reply.headers });
  }
  const completion = (await reply.json()) as Parameters<typeof translateReply>[0];
  return Response.json(translateReply(completion, { requestId, showsThinking }), { headers: reply.headers });
}
