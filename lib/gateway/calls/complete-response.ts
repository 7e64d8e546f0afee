import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/completions";
import { TOOLS_LEFT_OUT_HEADER } from "@/lib/contract/operations/calls/responses";
import { joinPieces } from "../http/body-reader";
import { scanObject } from "../http/json";
import { BufferedResponse, respondWith, StreamedResponse } from "../http/response";
import { toUnixSeconds } from "../unix-seconds";
import { answerOnce, type OnceContext } from "./answer-once";
import { toOrigin } from "./anthropic/returned-parts";
import { type CompletionContext, complete } from "./call";
import { decodeText } from "./replies/completion";
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
  let isPassedOn = false;
  const noteAnswering = (baseUrl: string, protocol: ProviderProtocol) => {
    server = baseUrl;
    isPassedOn = protocol === "responses";
  };
  const reply = await answerOnce(context, incoming, (call) => complete(context, { ...call, noteAnswering }));
  const buffered = reply instanceof BufferedResponse ? reply : null;
  nameLeftOut(reply.headers, request);
  if (isPassedOn || (reply.headers.has("idempotency-replayed") && isResponse(buffered))) return reply;
  // By this it is translated where it was not before, as the request of a replayed answer.
  const counting = model && { ...findCounting(context.directory, model), speaksResponses: false };
  if (counting && !request.response) await request.estimate(counting);
  const { response: asked } = request;
  if (!asked) throw new TypeError("A response was answered before its request was read");
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

/** The type of a tool, as it is named where it is left out. */
const TOOL_NAME = /^tools\.(\w+)$/;

function nameLeftOut(headers: Headers, { leftOut = [] }: CompletionRequest): void {
  if (leftOut.length > 0) headers.set(LEFT_OUT_HEADER, leftOut.join(", "));
  const tools = leftOut.flatMap((name) => TOOL_NAME.exec(name)?.[1] ?? []);
  if (tools.length > 0) headers.set(TOOLS_LEFT_OUT_HEADER, tools.join(", "));
}

/** Whether a stored reply is a response, which a provider gave. */
function isResponse(stored: BufferedResponse | null): boolean {
  const text = decodeText(joinPieces(stored?.pieces ?? []));
  if (!text.trimStart().startsWith("{"))
    return /^\s*(?:event: ?response\.|data: ?\{"type": ?"response\.)/.test(text);
  const object = scanObject(text).members.get("object");
  return object !== undefined && text.slice(object.valueStart, object.end) === '"response"';
}
