import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { toUnixSeconds } from "../clock";
import { joinPieces } from "../http/body-reader";
import { scanObject } from "../http/json";
import type { OpenStreams } from "../http/open-streams";
import { BufferedResponse, respondWith, respondWithJson, StreamedResponse } from "../http/response";
import type { BackgroundResponseStore } from "../log/responses/background-response-store.sql";
import type { ResponseStore } from "../log/responses/response-store.sql";
import { toOrigin } from "../providers/server-origin";
import { notFound } from "../refusal";
import { answerOnce, type OnceContext } from "./answer-once";
import { type CompletionContext, complete } from "./call";
import { findAllowedModel } from "./call-access";
import { decodeText } from "./replies/completion";
import { describeLeftOut } from "./replies/reply-client";
import { translateStream } from "./replies/translate-stream";
import type { IncomingCall } from "./requests/incoming-call";
import { type CompletionRequest, findCounting } from "./requests/prepared-request";
import type { BackgroundResponses } from "./responses/background-responses";
import { followResponse } from "./responses/follow-response";
import {
  ConversationClaim,
  findKeep,
  type Keep,
  type KeepContext,
  keepAtEnd,
  listItems,
  withoutSeals,
} from "./responses/keep-response";
import { ResponseEvents, type ResponseReply } from "./responses/response-events";
import type { BackgroundTurn } from "./responses/turn";

const encoder = new TextEncoder();

interface ResponseContext extends OnceContext, CompletionContext, KeepContext {
  readonly backgroundResponses: BackgroundResponses;
  readonly backgroundResponseStore: Pick<BackgroundResponseStore, "partsAfter">;
  readonly responseStore: Pick<ResponseStore, "insert" | "find">;
  readonly openStreams: OpenStreams;
}

/**
 * Answers a request of OpenAI's Responses API: by a provider that speaks it, whose reply is passed on, or with a chat
 * completion that is translated. It is kept before its client has all of it.
 * @throws Refusal as `complete`.
 */
export function completeResponse(
  context: ResponseContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { turn } = incoming.request;
  if (turn?.isWarmUp) return warmUp(context, incoming);
  const { background } = turn ?? {};
  if (!turn || !background) return answerTurn(context, incoming);
  return context.backgroundResponses.answer(
    incoming,
    { ...turn, background },
    (call) => answerTurn(context, call),
    (id) => answerRepeat(context, incoming, { id, background }),
  );
}

function answerTurn(context: ResponseContext, incoming: IncomingCall<CompletionRequest>): Promise<Response> {
  const { conversation } = incoming.request.turn ?? {};
  if (!conversation) return answerResponse(context, incoming, null);
  const claim = new ConversationClaim(context, conversation, incoming.requestContext.requestId);
  return claim.during(() => answerResponse(context, incoming, claim));
}

/** Answers a repeat with the response of the background that its first request began, as it stands. */
async function answerRepeat(
  context: ResponseContext,
  { caller: { keyId }, projectId, requestContext, refuseEndedAccess }: IncomingCall<CompletionRequest>,
  { id, background: { isStreamed } }: { readonly id: string; readonly background: BackgroundTurn },
): Promise<Response> {
  const { requestId } = requestContext;
  const find = async () => {
    refuseEndedAccess();
    const stored = await context.responseStore.find(id);
    if (stored) return stored;
    throw notFound("response", id, "response_id");
  };
  const first = { "idempotency-replayed": "true", "original-request": id.replace(/^resp_/, "req_") };
  const reply = isStreamed
    ? followResponse(context, { reader: { keyId, projectId }, requestId, after: -1, find })
    : respondWithJson((await find()).response, { headers: { "x-request-id": requestId } });
  for (const [name, value] of Object.entries(first)) reply.headers.set(name, value);
  return reply;
}

async function answerResponse(
  context: ResponseContext,
  incoming: IncomingCall<CompletionRequest>,
  claim: ConversationClaim | null,
): Promise<Response> {
  const { request, requestContext } = incoming;
  const model = context.catalogue.find(request.fields.model);
  // A replayed answer is taken for one of the model's first provider.
  let server = context.directory.find(model?.routes[0]?.provider ?? "")?.baseUrl ?? "";
  let isPassedOn = false;
  const noteAnswering = (baseUrl: string, protocol: ProviderProtocol) => {
    server = baseUrl;
    isPassedOn = protocol === "responses";
  };
  const reply = await answerOnce(context, incoming, async (call) => {
    await claim?.take();
    return complete(context, { ...call, noteAnswering });
  });
  for (const [name, value] of Object.entries(describeLeftOut(request))) reply.headers.set(name, value);
  const original = reply.headers.get("original-request");
  const keep = original === null ? findKeep(context, incoming, claim) : null;
  const buffered = reply instanceof BufferedResponse ? reply : null;
  if (isPassedOn || (original !== null && isResponse(buffered))) return passOn(reply, keep);
  // By this it is translated where it was not before, as the request of a replayed answer.
  const counting = model && { ...findCounting(context, model, null), speaksResponses: false };
  if (counting && !request.response) await request.estimate(counting);
  const { response: facts } = request;
  if (!facts) throw new TypeError("A response was answered before its request was read");
  const { isKept: store = false, background, prompt = null } = request.turn ?? {};
  const asked = { ...facts.asked, store, background: background !== undefined, prompt };
  // A replayed response keeps its id, which is derived from its request's.
  const requestId = original ?? requestContext.requestId;
  const createdAt = toUnixSeconds(context.runtime.clock.nowMs());
  const written = { ...facts, asked, requestId, origin: toOrigin(server), createdAt };
  return request.fields.stream
    ? translateEvents(context, reply, written, keep)
    : translateWhole(context, reply, written, keep);
}

/** Keeps the items of a request, which is checked as one that is answered, to go on from. Costs nothing. */
async function warmUp(
  context: OnceContext & CompletionContext & KeepContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { request, requestContext, projectId, caller, capture } = incoming;
  const model = findAllowedModel(context, projectId, request.fields.model, caller.scope, request.endpoint);
  await request.estimate({ ...findCounting(context, model, projectId), speaksResponses: false });
  capture?.discard();
  const { response: facts } = request;
  if (!facts) throw new TypeError("A response was answered before its request was read");
  const nowS = () => toUnixSeconds(context.runtime.clock.nowMs());
  const { requestId } = requestContext;
  const { isKept: store = false, prompt = null } = request.turn ?? {};
  const asked = { ...facts.asked, store, prompt };
  const written = new ResponseEvents({ ...facts, asked, requestId, origin: "", createdAt: nowS() }, nowS);
  const usage = { prompt_tokens: 0, completion_tokens: 0 };
  const events = written.start() + written.translate({ usage }) + written.translate("[DONE]");
  await findKeep(context, incoming, null)?.(written.response);
  const headers = { "content-type": "text/event-stream", "x-request-id": requestId };
  return respondWith([Buffer.from(events)], { headers });
}

/** A provider's own response, which is kept. */
async function passOn(reply: Response, keep: Keep | null): Promise<Response> {
  if (!keep) return reply;
  const { headers } = reply;
  if (reply instanceof BufferedResponse) {
    await keep(JSON.parse(decodeText(joinPieces(reply.pieces))));
    return reply;
  }
  return reply.body ? new StreamedResponse(keepAtEnd(reply.body, keep), { headers }) : reply;
}

function translateEvents(
  context: CompletionContext & KeepContext,
  reply: Response,
  facts: ResponseReply,
  keep: Keep | null,
): Response {
  const written = new ResponseEvents(facts, () => toUnixSeconds(context.runtime.clock.nowMs()));
  const events = translateStream(
    reply,
    written,
    context.replyReader,
    (error) => context.logFault(facts.requestId, error),
    async () => keep?.(written.response, written.keptOutput),
  );
  return new StreamedResponse(events, { headers: reply.headers });
}

async function translateWhole(
  context: CompletionContext & KeepContext,
  reply: Response,
  facts: ResponseReply,
  keep: Keep | null,
): Promise<Response> {
  const { headers } = reply;
  const buffered = reply instanceof BufferedResponse ? reply : null;
  const onTaken = () => buffered?.onTaken?.();
  try {
    const pieces = buffered?.pieces ?? [await reply.bytes()];
    const nowS = toUnixSeconds(context.runtime.clock.nowMs());
    const told = { ...facts, isSealShown: facts.isSealShown || keep !== null };
    const { response: sealed, bytes } = await context.replyReader.writeResponse(pieces, told, nowS);
    const output = listItems(sealed);
    const isAsShown = facts.isSealShown || output.every((item) => item.encrypted_content === undefined);
    const shown = isAsShown ? sealed : withoutSeals(sealed);
    await keep?.(shown, output);
    const body = isAsShown && bytes ? bytes : encoder.encode(JSON.stringify(shown));
    return respondWith([body], { headers }, onTaken);
  } catch (error) {
    onTaken();
    throw error;
  }
}

/** Whether a stored reply is a response, which a provider gave. */
function isResponse(stored: BufferedResponse | null): boolean {
  const text = decodeText(joinPieces(stored?.pieces ?? []));
  if (!text.trimStart().startsWith("{"))
    return /^\s*(?:event: ?response\.|data: ?\{"type": ?"response\.)/.test(text);
  const object = scanObject(text).members.get("object");
  return object !== undefined && text.slice(object.valueStart, object.end) === '"response"';
}
