import { type JsonObject } from "../../http/parse-json";
import { parseWith } from "../../http/parse-with";
import { scanObject } from "../../http/scan-json";
import { parseChatRequest } from "../chat-request";
import { completeOnce, type OnceCall, type OnceContext } from "../complete-once";
import { anthropicRequest } from "./content-blocks";
import { translateReply } from "./translate-reply";
import { translateRequest } from "./translate-request";
import { translateStream } from "./translate-stream";

/**
 * Answers a request of Anthropic's Messages API by way of a chat completion, priced and limited as one.
 * @throws Refusal as `complete` does; its body is written in Anthropic's form by whoever answers it.
 */
export async function completeMessage(
  context: OnceContext,
  call: Omit<OnceCall, "request">,
  body: JsonObject,
): Promise<Response> {
  const message = parseWith(anthropicRequest, body.value);
  const value = translateRequest(message);
  const text = JSON.stringify(value);
  const request = parseChatRequest({ text, value, scanned: scanObject(text) });
  const reply = await completeOnce(context, { ...call, request });
  reply.headers.set("request-id", call.requestId);
  // A replayed message keeps the id it had, which is made from its request's.
  const requestId = reply.headers.get("original-request") ?? call.requestId;
  if (message.stream && reply.body) {
    const events = translateStream(reply.body, { requestId, model: message.model });
    return new Response(events, { headers: reply.headers });
  }
  const completion = (await reply.json()) as Parameters<typeof translateReply>[0];
  return Response.json(translateReply(completion, requestId), { headers: reply.headers });
}
