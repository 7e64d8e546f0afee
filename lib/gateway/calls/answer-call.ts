import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import { operations } from "@/lib/contract/operation-table";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import { findChargedProject } from "../access/authorize";
import type { Caller } from "../access/caller";
import { toUnixSeconds } from "../clock";
import { joinPieces } from "../http/body-reader";
import { scanObject } from "../http/json";
import type { OpenStreams } from "../http/open-streams";
import { BufferedResponse, respondWith, StreamedResponse } from "../http/response";
import type { RequestContext } from "../http/server";
import type { BackgroundResponseStore } from "../log/responses/background-response-store.sql";
import type { ModelConversationStore } from "../log/responses/conversation-store.sql";
import type { ResponseStore } from "../log/responses/response-store.sql";
import { isMediaModel } from "../models/catalogue";
import type { ProjectCache } from "../projects/projects";
import { providerAnsweredOddly } from "../providers/provider-failure";
import { toOrigin } from "../providers/server-origin";
import { invalid, Refusal } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { answerOnce, type OnceContext, readIdempotency } from "./answer-once";
import { MessageEvents } from "./anthropic/message-events";
import type { MessageFacts } from "./anthropic/translate-request";
import type { BodyCaptures } from "./bodies/body-capture";
import { type CompletionContext, complete } from "./call";
import { type CallMaker, findActingCaller, type RunAsContext, refuseEndedAccess } from "./call-access";
import { type CallKind, type CallKindRow, callKinds } from "./call-kinds";
import { completeResponse } from "./complete-response";
import type { ImageAnswerContext } from "./media/answer-images";
import { createTask, type TaskCreation } from "./media/create-task";
import { logEarlyRefusal } from "./receipts/log-refusal";
import { decodeText } from "./replies/completion";
import { describeLeftOut } from "./replies/reply-client";
import { translateStream } from "./replies/translate-stream";
import { type CallOfBatch, type CallReading, type IncomingCall, readClient } from "./requests/incoming-call";
import {
  type CompletionRequest,
  findCounting,
  isCompletion,
  type PreparedRequest,
  toOrder,
} from "./requests/prepared-request";
import type { BackgroundResponses } from "./responses/background-responses";
import type { KeepContext } from "./responses/keep-response";
import { toResponseId, toStem } from "./responses/response-events";
import { toResponseUsage } from "./responses/response-facts";
import { type CompactionSealing, sealSummary } from "./responses/turn";

export interface CallContext
  extends OnceContext,
    TaskCreation,
    ImageAnswerContext,
    CallReading,
    KeepContext,
    RunAsContext {
  readonly responseStore: ResponseStore;
  readonly backgroundResponseStore: BackgroundResponseStore;
  readonly backgroundResponses: BackgroundResponses;
  readonly openStreams: OpenStreams;
  readonly modelConversations: ModelConversationStore;
  readonly secret: Uint8Array;
  readonly projectCache: ProjectCache;
  readonly bodyCaptures: BodyCaptures;
  /** Null where traces are off. */
  readonly callTracer: CallTracer | null;
  /** Reads what other gateways have changed; null where there are none. */
  readonly catchUp: (() => Promise<void>) | null;
}

/** A call before its body is read. */
type UnreadCall = Pick<
  IncomingCall,
  | "requestContext"
  | "client"
  | "headers"
  | "caller"
  | "projectId"
  | "batchId"
  | "noteAdmitted"
  | "refuseEndedAccess"
>;

/**
 * Answers a call of a model, from its unread body to its reply: live calls, and lines of batches.
 * What refuses it once its project and caller are known is logged and has a receipt.
 * @throws Refusal
 */
export async function answerCall(
  context: CallContext,
  requestContext: RequestContext,
  sender: Caller,
  kind: CallKind,
  line?: CallOfBatch,
): Promise<Response> {
  // Checked before the body is read: refusing under overload must be cheap, so that other calls can be served.
  context.admissions.refuseIfTooManyInFlight();
  const { requestId } = requestContext;
  const batchId = line?.batchId;
  const { headers } = requestContext.request;
  const row = callKinds[kind];
  const operation = operations[row.operationId];
  const acting = findActingCaller(context, requestContext, sender, operation);
  const { caller, runBy } = acting instanceof Promise ? await acting : acting;
  const projectId = findChargedProject(context.projectCache, caller, headers);
  const key = headers.get("idempotency-key");
  const client = readClient(headers, row.receiptEndpoint, key, runBy);
  const capture = context.bodyCaptures.begin({ requestId, projectId, keyId: caller.keyId });
  const traceparent = context.callTracer?.begin(requestId, headers, row.receiptEndpoint);
  const maker: CallMaker = { operation, headers, sender, caller, isRunAs: runBy !== null, batchId };
  let request: PreparedRequest | null = null;
  const unread: UnreadCall = {
    requestContext,
    client,
    headers,
    caller,
    projectId,
    batchId,
    noteAdmitted: line?.noteAdmitted,
    refuseEndedAccess: () => refuseEndedAccess(context, maker, request?.fields.model),
  };
  try {
    const options = { bounds: operation.bodyBounds, wantsHash: key !== null, keyId: caller.keyId, projectId };
    request = await row.read(context, requestContext, options, capture);
    // Another gateway may have made the model, or allowed it, a moment ago.
    if (context.catchUp && !isKnown(context, projectId, request)) await context.catchUp();
    // A line stays in the scope of its batch's key, whichever key that one was rotated to.
    const ownId = batchId === undefined ? caller.id : caller.keyId;
    // A person's call as a key is another one than the same call as another key.
    const callerId = runBy === null ? ownId : `${ownId} ${caller.keyId}`;
    const idempotency = readIdempotency(key, { projectId, callerId }, request.bodyHash);
    const call = { ...unread, request, idempotency, capture, traceparent };
    const reply = await answerRead(context, requestContext, call, row);
    if (context.callTracer && reply.headers.has("idempotency-replayed"))
      context.callTracer.recordReplay(requestId);
    return reply;
  } catch (error) {
    const reported = logAndLinkRefusal(context, unread, request, error);
    if (!(reported instanceof Refusal) || reported.hasReceipt) capture?.end();
    const { status, code } = reported instanceof Refusal ? reported : { status: 500, code: "internal_error" };
    context.callTracer?.recordFailure(requestId, status, code);
    throw reported;
  } finally {
    request?.release();
  }
}

function isKnown(
  { catalogue, modelPermissionCache }: CallContext,
  projectId: string,
  { fields: { model } }: PreparedRequest,
): boolean {
  return catalogue.find(model) !== undefined && modelPermissionCache.allows(projectId, model);
}

/** Answers a call with a completion or, if the model makes media, with a task that makes them. */
function answerRead(
  context: CallContext,
  requestContext: RequestContext,
  call: IncomingCall,
  { receiptEndpoint, dialect, answerTask }: CallKindRow,
): Promise<Response> {
  if (!isCompletion(call) || isMediaModel(context.catalogue.find(call.request.fields.model)))
    return answerWithTask(context, requestContext, call, answerTask);
  if (receiptEndpoint === "responses")
    return call.request.turn?.isCompaction
      ? completeCompaction(context, call)
      : completeResponse(context, call);
  return dialect === "anthropic"
    ? completeMessage(context, call)
    : answerOnce(context, call, (incoming) => complete(context, incoming));
}

async function answerWithTask(
  context: CallContext,
  requestContext: RequestContext,
  call: IncomingCall,
  answerTask: CallKindRow["answerTask"],
): Promise<Response> {
  const { model } = call.request.fields;
  if (!answerTask)
    throw invalid("model", `"${model}" makes files, and answers at /v1/chat/completions with a task.`);
  const order = { ...call, request: toOrder(call.request) };
  const taskReply = await answerOnce(context, order, (incoming) => createTask(context, incoming));
  return answerTask(context, requestContext, order, taskReply);
}

/** Logs a refusal that `complete` has not logged, and adds the link to its receipt. */
function logAndLinkRefusal(
  context: CallContext,
  call: UnreadCall,
  request: PreparedRequest | null,
  error: unknown,
): unknown {
  if (!(error instanceof Refusal) || error.hasReceipt) return error;
  if (!logEarlyRefusal(context, call, request?.fields ?? null, error)) return error;
  return error.with({ url: `${context.consoleUrl}/requests/${call.requestContext.requestId}` });
}

type Fields = Record<string, unknown>;

/**
 * Answers with a conversation in short: one call that summarizes it, whose answer is sealed for the project.
 * @throws Refusal as `complete`, and 502 for an answer without a text.
 */
async function completeCompaction(
  context: OnceContext & CompletionContext & CompactionSealing,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const reply = await answerOnce(context, incoming, (call) => complete(context, call));
  const pieces = reply instanceof BufferedResponse ? reply.pieces : [await reply.bytes()];
  const answer = JSON.parse(decodeText(joinPieces(pieces))) as Fields;
  const summary = readSummary(answer);
  if (summary === "") throw providerAnsweredOddly("It summarized the conversation without a text");
  const requestId = reply.headers.get("original-request") ?? incoming.requestContext.requestId;
  const compaction = {
    id: `cmp_${toStem(requestId)}_0`,
    type: "compaction",
    encrypted_content: sealSummary(context, incoming.projectId, summary),
  };
  const body = {
    id: toResponseId(requestId),
    object: "response.compaction",
    created_at: toUnixSeconds(context.runtime.clock.nowMs()),
    output: [compaction],
    usage: toResponseUsage(answer.usage),
  };
  return respondWith([Buffer.from(JSON.stringify(body))], { headers: reply.headers });
}

/** The text of a chat completion, or of a response. */
function readSummary({ choices, output }: Fields): string {
  const [choice] = toList(choices);
  if (choice) return readText(isObject(choice.message) ? choice.message.content : "");
  return toList(output)
    .filter(({ type }) => type === "message")
    .map(({ content }) => readText(content))
    .join("");
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  return toList(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

function toList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const noFacts: MessageFacts = { thinking: "off", hasTools: false, toolNames: {}, callIds: [], stops: [] };

/**
 * Answers a request of Anthropic's Messages API: by a provider that speaks it, whose reply is passed on, or with a chat
 * completion that is translated.
 * @throws Refusal as `complete`; the gateway writes its body in Anthropic's form.
 */
async function completeMessage(
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

/** Traces calls, where a collector is configured. The trace of an admitted call ends with its settlement or release. */
export interface CallTracer {
  /** Begins a call's trace, or continues its caller's. @returns the `traceparent` for the provider. */
  begin(requestId: string, headers: RequestHeaders, endpoint: RequestClient["endpoint"]): string;
  /** Records that the call got the stored reply of an earlier one. */
  recordReplay(requestId: string): void;
  /** Records that the call ended with an error. Does nothing where its trace has ended. */
  recordFailure(requestId: string, status: number, code: string): void;
}
