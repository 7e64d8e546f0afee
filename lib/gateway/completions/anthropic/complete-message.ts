import { type JsonObject } from "../../http/parse-json";
import { parseWith } from "../../http/parse-with";
import { scanObject } from "../../http/scan-json";
import { parseChatRequest } from "../chat-request";
import { type CompletionCall, type CompletionContext, complete } from "../complete";
import { anthropicRequest } from "./content-blocks";
import { translateReply } from "./translate-reply";
import { translateRequest } from "./translate-request";
import { translateStream } from "./translate-stream";

/**
 * Answers a request of Anthropic's Messages API by way of a chat completion, priced and limited as one.
 * @throws Refusal as `complete` does; its body is written in Anthropic's form by whoever answers it.
 */
export async function completeMessage(
  context: CompletionContext,
  call: Omit<CompletionCall, "request">,
  body: JsonObject,
): Promise<Response> {
  const message = parseWith(anthropicRequest, body.value);
  const value = translateRequest(message);
  const text = JSON.stringify(value);
  const request = parseChatRequest({ text, value, scanned: scanObject(text) });
  const reply = await complete(context, { ...call, request });
  const { requestId } = call;
  reply.headers.set("request-id", requestId);
  if (message.stream && reply.body) {
    const events = translateStream(reply.body, { requestId, model: message.model });
    return new Response(events, { headers: reply.headers });
  }
  const completion = (await reply.json()) as Parameters<typeof translateReply>[0];
  return Response.json(translateReply(completion, requestId), { headers: reply.headers });
}
