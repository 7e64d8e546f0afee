import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { joinPieces } from "../http/body-reader";
import { scanObject } from "../http/json";
import { BufferedResponse, respondWith, StreamedResponse } from "../http/response";
import { toOrigin } from "../providers/server-origin";
import { answerOnce, type OnceContext } from "./answer-once";
import { MessageEvents } from "./anthropic/message-events";
import type { MessageFacts } from "./anthropic/translate-request";
import { type CompletionContext, complete } from "./call";
import { decodeText } from "./replies/completion";
import { describeLeftOut } from "./replies/reply-client";
import { translateStream } from "./replies/translate-stream";
import type { IncomingCall } from "./requests/incoming-call";
import { type CompletionRequest, findCounting } from "./requests/prepared-request";

const noFacts: MessageFacts = { thinking: "off", hasTools: false, toolNames: {}, callIds: [], stops: [] };

/**
 * Answers a request of Anthropic's Messages API: by a provider that speaks it, whose reply is passed on, or with a chat
 * completion that is translated.
 * @throws Refusal as `complete`; the gateway writes its body in Anthropic's form.
 */
export async function completeMessage(
  context: OnceContext & CompletionContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { fields } = incoming.request;
  const { requestId: ownId } = incoming.requestContext;
  const model = context.catalogue.find(fields.model);
  // A replayed answer is taken for one of the model's first provider.
  let server = context.directory.find(model?.routes[0]?.provider ?? "")?.baseUrl ?? "";
  let isPassedOn = false;
  const noteAnswering = (baseUrl: string, protocol: ProviderProtocol) => {
    server = baseUrl;
    isPassedOn = protocol === "messages";
  };
  const reply = await answerOnce(context, incoming, (call) => complete(context, { ...call, noteAnswering }));
  reply.headers.set("request-id", ownId);
  const buffered = reply instanceof BufferedResponse ? reply : null;
  if (isPassedOn || (reply.headers.has("idempotency-replayed") && isMessage(buffered))) return reply;
  // By this it is translated where it was not before, as the request of a replayed answer.
  const counting = model && { ...findCounting(context, model, null), speaksMessages: false };
  const promptTokens = counting ? (await incoming.request.estimate(counting)).promptTokens : 0;
  const { message: asked = noFacts } = incoming.request;
  for (const [name, value] of Object.entries(describeLeftOut(incoming.request)))
    reply.headers.set(name, value);
  // A replayed message keeps its id, which is derived from its request's.
  const requestId = reply.headers.get("original-request") ?? ownId;
  const facts = { ...asked, requestId, model: fields.model, origin: toOrigin(server) };
  if (fields.stream) {
    const written = new MessageEvents({ ...facts, promptTokens });
    const events = translateStream(reply, written, context.replyReader, (error) =>
      context.logFault(ownId, error),
    );
    return new StreamedResponse(events, { headers: reply.headers });
  }
  const onTaken = () => buffered?.onTaken?.();
  try {
    const pieces = buffered?.pieces ?? [await reply.bytes()];
    const message = await context.replyReader.translateReply(pieces, facts);
    return respondWith(message, { headers: reply.headers }, onTaken);
  } catch (error) {
    onTaken();
    throw error;
  }
}

/** Whether a stored reply is one of Anthropic's, which a provider gave. */
function isMessage(stored: BufferedResponse | null): boolean {
  const text = decodeText(joinPieces(stored?.pieces ?? []));
  if (!text.trimStart().startsWith("{"))
    return /^\s*(?:event: ?message_start|data: ?\{"type": ?"message_start")/.test(text);
  const type = scanObject(text).members.get("type");
  return type !== undefined && text.slice(type.valueStart, type.end) === '"message"';
}
