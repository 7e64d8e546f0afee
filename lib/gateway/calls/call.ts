import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { RequestAttempt } from "@/lib/contract/operations/calls/receipt-parts";
import { toUnixSeconds } from "../clock";
import { joinPieces } from "../http/body-reader";
import { isStreamOfEvents, type ServerReply } from "../http/outbound/server-reply";
import { respondWith, type StreamController, StreamedResponse, type StreamSource } from "../http/response";
import type { FinalOutcome } from "../ledger/funds";
import { writeReceiptDetails } from "../log/requests/receipt-details";
import { atBatchRate, type CatalogueModel } from "../models/catalogue";
import type { ProviderDirectory } from "../models/providers/provider-directory";
import { explainFailure } from "../providers/explain-failure";
import type { ConnectionWatcher, ProviderConnection } from "../providers/provider-connection";
import { afterStreamBegan, describeReason } from "../providers/provider-failure";
import type { ProviderLinks } from "../providers/provider-link";
import { FieldRefusal } from "../providers/refused-fields";
import { mayBeBilled, RouteWalk } from "../providers/routing/route-walk";
import type { AdmissionRequest } from "../rate-limits/admissions";
import { Refusal, unauthenticated } from "../refusal";
import type { ChatReply } from "./anthropic/write-chat-reply";
import { findAllowedModel, type PreviewContext } from "./call-access";
import { admitAndHold, atPresentTerms, describeForAdmission } from "./holds/admit-and-hold";
import { type CallUnderWay, estimateCost, type HeldCall } from "./holds/held-call";
import { logRefusedCall, type RefusalContext } from "./receipts/log-refusal";
import {
  BinaryReplyRecorder,
  buildCompletionHeaders,
  describeLeftOut,
  formatRoute,
  type Recorder,
  ReplyClient,
  ReplyRecorder,
  type StreamedReply,
} from "./replies/reply-client";
import { MAX_REPLY_BYTES } from "./replies/reply-memory";
import type { ReplyReader } from "./replies/reply-reader";
import { openStreamedBytes } from "./replies/streamed-bytes";
import { StreamedEvents } from "./replies/streamed-events";
import { MAX_TRANSCRIPT_BYTES, readTranscript } from "./replies/transcript";
import {
  type EventSource,
  readAsEvents,
  readCompletion,
  releaseWithClient,
  TranslatedEvents,
  WatchedReply,
} from "./replies/whole-completion";
import { findSession } from "./requests/chat-request";
import type { IncomingCall } from "./requests/incoming-call";
import { type CompletionRequest, findCounting, refuseCallback } from "./requests/prepared-request";
import { describeAttempt, fetchReply, readBounded, UpstreamRequest } from "./requests/upstream-request";
import type { ResolvedUsage } from "./usage/resolve-usage";

/** After a longer wait for the hold, the client may have disconnected in the meantime. */
const LONG_WAIT_MS = 50;

/** What an admitted call needs to be answered. */
interface AnswerContext {
  readonly directory: Pick<ProviderDirectory, "find">;
  readonly links: ProviderLinks;
  readonly replyReader: ReplyReader;
  /** Receives the reasons of provider failures, and internal errors, which callers see as a broken stream. */
  logFault(requestId: string, error: unknown): void;
}

export interface CompletionContext extends RefusalContext, AnswerContext {
  readonly promptCounter: PreviewContext["promptCounter"];
}

/** How a call ends. Each way out of a call is one of these, and goes through `Call.end`. */
type Outcome =
  | { readonly kind: "completed"; readonly used: ResolvedUsage; readonly recording?: string | undefined }
  /** Its client left, read nothing until the deadline, or lost its access. */
  | { readonly kind: "left" }
  | { readonly kind: "failed"; readonly failure: unknown };

/**
 * Answers a call of a model, from its admission to its charge: received → admitted → held, and then as a `Call`. It
 * reserves a place at a provider first, so that a call without one counts nowhere.
 * @throws Refusal with the `x-ratelimit-*` headers once the model is known.
 */
export async function complete(
  context: CompletionContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { requestContext, request, idempotencyLock, batchId, caller } = incoming;
  const { model: name } = request.fields;
  const callable = findAllowedModel(context, incoming.projectId, name, caller.scope, request.endpoint);
  const model = batchId === undefined ? callable : atBatchRate(callable);
  let asked: AdmissionRequest | null = null;
  let connection: ProviderConnection | null = null;
  let hold: HeldCall | null = null;
  let call: Call | null = null;
  const underWay: CallUnderWay = {
    callerId: caller.id,
    describe: () => call?.describe() ?? null,
    endAccess: () => call?.endAccess(),
    endIfLost: () => call?.endIfLost(),
  };
  try {
    refuseCallback(request.fields);
    const estimating = request.estimate(findCounting(context, model, incoming.projectId));
    const estimate = estimating instanceof Promise ? await estimating : estimating;
    const admissionRequest = describeForAdmission(context, incoming, model, estimate);
    asked = admissionRequest;
    const walk = new RouteWalk(context, {
      model,
      pair: admissionRequest,
      isStream: request.fields.stream === true,
      estimateCost: (route) => estimateCost(admissionRequest, route),
      findSession: () => findSession(incoming),
      findMaker: () => request.madeBy ?? null,
    });
    connection = walk.begin();
    const stream = request.fields.stream === true;
    const startedAtMs = context.runtime.clock.monotonicMs();
    const recheck = (before: AdmissionRequest) => {
      incoming.refuseEndedAccess();
      const found = findAllowedModel(context, incoming.projectId, name, caller.scope, request.endpoint);
      return atPresentTerms(context, before, batchId === undefined ? found : atBatchRate(found));
    };
    const { requestId } = requestContext;
    const toHold = { requestId, stream, idempotencyLock, batchId, startedAtMs, underWay, recheck };
    const countFiner = async () =>
      recheck(await context.promptCounter.count(model, request, admissionRequest));
    hold = await admitAndHold(context, admissionRequest, toHold, countFiner);
    incoming.noteAdmitted?.();
    incoming.capture?.noteAdmitted();
    call = new Call(context, incoming, model, hold, connection, walk);
    return await call.answer();
  } catch (error) {
    connection?.end();
    if (!(error instanceof Refusal)) throw error;
    throw await logRefusedCall(context, { incoming, model, admissionRequest: asked, hold }, error);
  }
}

/**
 * A call whose hold is on disk: held → sent → streaming → ended. It sends the request, on the next route where that
 * helps, relays the reply at the pace of its client, and ends once, through `end`, which resolves the hold.
 */
export class Call implements StreamSource, ConnectionWatcher {
  #state: "held" | "sent" | "waiting for the client" | "streaming" | "ended" = "held";
  #failedAttempts: RequestAttempt[] = [];
  #stopsWithClient = false;
  /** The reply that is relayed, and its client; null for an answer that is sent whole. */
  #relayed: { readonly reply: StreamedReply; readonly client: ReplyClient } | null = null;
  readonly #startedAtMs: number;
  readonly #upstream: UpstreamRequest;

  constructor(
    private readonly context: AnswerContext,
    private readonly incoming: IncomingCall<CompletionRequest>,
    private readonly model: CatalogueModel,
    private readonly hold: HeldCall,
    /** The connection to a provider; replaced when the call is sent again. */
    private connection: ProviderConnection,
    private readonly walk: RouteWalk,
  ) {
    this.#startedAtMs = connection.startedAtMs;
    this.#upstream = new UpstreamRequest(incoming.request, hold.admission, model);
  }

  /**
   * Sends the call and answers with the provider's reply. Once this is called the hold is always resolved.
   * @throws Refusal 400, 401, 429, 502, 503 or 504.
   */
  async answer(): Promise<Response> {
    if (this.hold.stream || this.#elapsedMs > LONG_WAIT_MS) this.#stopWithClient();
    try {
      this.incoming.refuseEndedAccess();
      return await this.#answerByRoutes();
    } catch (error) {
      this.connection.close();
      if (!this.hold.isEnded) await this.end(this.#explainEnd(error));
      throw explainFailure(error, this.connection.route);
    }
  }

  /** Sends the request until it is answered, as `chooseRoute` decides. A whole answer may fail until its last byte. */
  async #answerByRoutes(): Promise<Response> {
    for (;;) {
      try {
        return await this.answerWith(await this.#sendOnce());
      } catch (failure) {
        if (this.#relayed || this.hold.isEnded) throw failure;
        await this.#goOn(failure);
      }
    }
  }

  /** Takes the next route after a failure. @throws the failure where there is none. */
  async #goOn(failure: unknown): Promise<void> {
    const failed = this.connection;
    failed.close();
    if (mayBeBilled(failed, failure)) this.hold.noteUnaccounted(failed.route);
    const next = this.walk.goOn(failed, failure, this.#elapsedMs);
    if (!next) throw failure;
    this.context.logFault(this.hold.requestId, `${failed.route.provider}: ${describeReason(failure)}`);
    this.#failedAttempts.push(describeAttempt(failed, this.#startedAtMs, next.connection.startedAtMs));
    const field = failure instanceof FieldRefusal ? failure.field : null;
    this.#upstream.noteRefused(field, failed, next.connection);
    this.connection = next.connection;
    this.#stopWithClient();
    if (next.waitMs > 0) await Bun.sleep(next.waitMs);
  }

  async #sendOnce(): Promise<ServerReply> {
    const { connection, hold, incoming } = this;
    this.#state = "sent";
    const writing = this.#upstream.write(connection);
    if (writing instanceof Promise) this.#stopWithClient();
    const body = writing instanceof Promise ? await writing : writing;
    const reaching = connection.link.reach();
    if (reaching) this.#stopWithClient();
    const { requestId, stream } = hold;
    const { request, headers: sent, traceparent } = incoming;
    const protocol = this.#upstream.protocolAt(connection);
    const endpoint = request.protocol && protocol !== "chat" ? protocol : request.endpoint;
    const headers = sent && this.#upstream.pickHeaders(sent, connection);
    const reply = await fetchReply(connection, {
      request: { requestId, endpoint, body, headers, stream, traceparent },
      reaching,
      watcher: this,
      findRefusedField: (words) => this.#upstream.findRefusedField(words, connection),
    });
    this.#upstream.noteTaken(connection);
    this.walk.noteAnswered(connection.route);
    return reply;
  }

  /** Answers with a reply: as a stream, or whole once it is charged. */
  async answerWith(reply: ServerReply): Promise<Response> {
    const { connection, hold, incoming } = this;
    const { endpoint } = incoming.request;
    const protocol = this.#upstream.protocolAt(connection);
    incoming.noteAnswering?.(connection.link.baseUrl, protocol);
    const isTranscript = endpoint === "audio/transcriptions" || endpoint === "audio/translations";
    if (endpoint === "audio/speech" || (isTranscript && hold.stream && isStreamOfEvents(reply)))
      return this.#relayBytes(reply);
    if (isTranscript) return this.#answerTranscript(reply);
    if (!hold.stream) return this.#answerWhole(reply, incoming.request.protocol ? protocol : null);
    const events = await this.#openEvents(reply, protocol);
    connection.noteStreamBegan();
    const client = new ReplyClient(incoming.capture);
    const call = {
      client,
      connection,
      hold,
      incoming,
      protocol: this.#chatReply ? "chat" : protocol,
    } as const;
    const streamed = new StreamedEvents(events, call, this.context.replyReader);
    return this.relay(streamed, client, { contentType: "text/event-stream", recorder: new ReplyRecorder() });
  }

  /** The events of a reply, in the protocol of its client where they are translated to chat. */
  async #openEvents(reply: ServerReply, protocol: ProviderProtocol): Promise<EventSource> {
    const { connection, context } = this;
    const events = isStreamOfEvents(reply)
      ? reply
      : await readAsEvents(reply, connection, context.replyReader, protocol);
    const chatReply = this.#chatReply;
    return chatReply ? new TranslatedEvents(events, chatReply) : events;
  }

  /** How a message becomes the chat completion that was asked for; null where the reply's protocol is the client's. */
  get #chatReply(): ChatReply | null {
    const { request } = this.incoming;
    const isMessage =
      request.protocol !== "messages" && this.#upstream.protocolAt(this.connection) === "messages";
    if (!isMessage || !request.chatReply) return null;
    const { origin } = this.connection.link;
    return { ...request.chatReply, origin, createdAt: toUnixSeconds(this.hold.createdAtMs) };
  }

  /** Charges a whole answer, then forwards it byte for byte but for its usage and the name of its model. */
  async #answerWhole(reply: ServerReply, protocol: ProviderProtocol | null): Promise<Response> {
    const { connection, hold, incoming, context } = this;
    const share = context.replyReader.memory.newShare();
    const chatReply = this.#chatReply;
    const isChat = protocol === null || protocol === "chat" || chatReply;
    const kind = isChat ? incoming.request.endpoint : protocol;
    try {
      const { body, used } = await this.#readWhole(async () => {
        const watcher = new WatchedReply(connection, share);
        const sent = await readBounded(reply, MAX_REPLY_BYTES, watcher);
        this.#noteArrived();
        share.rest();
        const pieces = chatReply ? await context.replyReader.writeChatReply(sent, chatReply) : sent;
        return readCompletion(pieces, { connection, hold, incoming, kind }, context.replyReader);
      });
      const recorder = new ReplyRecorder();
      if (hold.idempotencyLock) for (const piece of body) recorder.add(piece);
      await this.end({
        kind: "completed",
        used,
        recording: hold.idempotencyLock && (recorder.text ?? undefined),
      });
      incoming.capture?.noteAnswered(body);
      const onTaken = share.bytes === 0 ? undefined : releaseWithClient(share, incoming.requestContext);
      return respondWith(body, { headers: this.#headers("application/json") }, onTaken);
    } catch (error) {
      share.release();
      throw error;
    }
  }

  async #answerTranscript(reply: ServerReply): Promise<Response> {
    const { connection, hold, incoming } = this;
    const contentType = reply.header("content-type") ?? "";
    const { bytes, used } = await this.#readWhole(async () => {
      const watcher = { progress: () => connection.noteProgress(), makeRoom: () => null };
      const read = joinPieces(await readBounded(reply, MAX_TRANSCRIPT_BYTES, watcher));
      this.#noteArrived();
      return { bytes: read, used: readTranscript(contentType, read, hold.admission.request) };
    });
    const recorder = hold.idempotencyLock && new BinaryReplyRecorder(contentType);
    recorder?.add(bytes);
    await this.end({ kind: "completed", used, recording: recorder?.text ?? undefined });
    incoming.capture?.noteAnswered([bytes]);
    return respondWith([bytes], { headers: this.#headers(contentType) });
  }

  /** Reads an answer to its end. @throws Refusal for one that fails, which is its provider's failure. */
  async #readWhole<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    const { connection } = this;
    try {
      const answer = await read();
      connection.noteSuccess();
      return answer;
    } catch (error) {
      const failure = connection.describeFailure(error);
      connection.noteFailure(failure);
      throw failure;
    }
  }

  /** The whole reply is here: its provider is free for another call. */
  #noteArrived(): void {
    this.connection.end();
    this.hold.noteFirstByte();
  }

  async #relayBytes(reply: ServerReply): Promise<Response> {
    const { connection, hold, incoming } = this;
    const client = new ReplyClient(incoming.capture, incoming.request.endpoint !== "audio/speech");
    const { bytes, contentType } = await openStreamedBytes(reply, { client, connection, hold });
    const recorder = new BinaryReplyRecorder(contentType);
    const response = this.relay(bytes, client, { contentType, recorder });
    if (!hold.idempotencyLock) this.#stopWithClient();
    return response;
  }

  /** Relays a reply as it arrives. With an idempotency key it is stored for repeats, and read on without its client. */
  relay(
    reply: StreamedReply,
    client: ReplyClient,
    { contentType, recorder }: { readonly contentType: string; readonly recorder: Recorder },
  ): Response {
    this.#relayed = { reply, client };
    this.#state = "waiting for the client";
    if (this.hold.idempotencyLock)
      client.record(recorder, this.incoming.requestContext.clientSignal, () => void this.cancel());
    return new StreamedResponse(this, { headers: this.#headers(contentType) });
  }

  get #streaming() {
    if (!this.#relayed) throw new TypeError("The reply of this call isn't relayed");
    return this.#relayed;
  }

  pull(controller: StreamController): Promise<void> {
    this.#streaming.client.connect(controller);
    return this.#readOn();
  }

  /** The client is gone: the provider is stopped, and its output so far is charged. */
  async cancel(): Promise<void> {
    const { reply, client } = this.#streaming;
    if (client.isGone) return;
    client.leave();
    if (client.isRecorded) {
      if (this.#state === "waiting for the client") void this.#readOn();
      return;
    }
    this.connection.cut("client gone");
    const isReading = this.#state === "streaming";
    if (!isReading) reply.release();
    await this.end({ kind: "left" });
    client.end();
  }

  /** Reads until something was forwarded, or to the end once the client is gone. */
  async #readOn(): Promise<void> {
    if (this.#state === "ended") return;
    const { reply, client } = this.#streaming;
    this.#state = "streaming";
    const wasUnread = this.connection.cutoff === "too slow";
    try {
      for (let forwarded = 0; (forwarded === 0 || client.isGone) && this.#isStreaming; ) {
        const makingRoom = reply.makeRoom();
        if (makingRoom) await makingRoom;
        // Every piece passes here, so nothing wraps the read.
        const next = reply.read();
        const piece = next instanceof Promise ? await next : next;
        if (piece !== null) this.hold.noteFirstByte();
        const forwarding = reply.forward(piece);
        forwarded = typeof forwarding === "number" ? forwarding : await forwarding;
        if (reply.isComplete) await this.#finish();
      }
    } catch (error) {
      const isWhole = this.#isStreaming && reply.isFinished && !this.connection.wasEndedByCaller;
      if (isWhole) await this.#finishInTime();
      else await this.#breakOff(this.connection.describeFailure(error), { wasUnread });
    } finally {
      if (this.#isStreaming) this.#state = "waiting for the client";
      else reply.release();
    }
  }

  get #isStreaming(): boolean {
    return this.#state === "streaming";
  }

  /** The last bytes, such as `[DONE]`, are sent once the charge is on disk. */
  async #finish(): Promise<void> {
    const { reply, client } = this.#streaming;
    this.#state = "ended";
    this.connection.noteSuccess();
    const lastBytes = reply.finish();
    if (lastBytes) client.store(lastBytes);
    await this.end({ kind: "completed", used: reply.usage(), recording: client.recording });
    client.end(lastBytes);
  }

  /** Ends a whole answer behind which its provider failed or was silent. */
  async #finishInTime(): Promise<void> {
    try {
      await this.#finish();
    } catch (error) {
      await this.#breakOff(this.connection.describeFailure(error));
    }
  }

  /** @param wasUnread the client read on only after the call's deadline, which is no failure of its provider. */
  async #breakOff(failure: Refusal, { wasUnread = false } = {}): Promise<void> {
    const { reply, client } = this.#streaming;
    const { connection } = this;
    const refusal = afterStreamBegan(failure, reply.costsIfFailed);
    connection.close();
    if (wasUnread || connection.wasEndedByCaller) await this.end({ kind: "left" });
    else {
      connection.noteFailure(refusal);
      await this.end({ kind: "failed", failure: refusal });
    }
    const lastBytes =
      connection.cutoff === "client gone" ? null : reply.describeFailure(this.#asCallerSees(refusal));
    if (lastBytes) client.end(lastBytes);
    else client.breakOff();
  }

  /** Called when the connection was cut. One that reads, or has yet to begin, gets the error where its read fails. */
  onCut(): void {
    if (this.#state !== "waiting for the client" || !this.#relayed?.client.isConnected) return;
    const { reply, client } = this.#relayed;
    const { cutoff, accessEnded } = this.connection;
    if (cutoff === "client gone" || cutoff === "unreachable") return;
    reply.release();
    if (accessEnded) void this.#breakOff(accessEnded);
    else if (reply.isFinished) void this.#finishInTime();
    // The client read nothing until the call's deadline, which is no failure of its provider.
    else void this.end({ kind: "left" }).then(() => client.breakOff());
  }

  /** Called once for a call that lasts: its client may leave in the meantime. */
  onLongCall(): void {
    this.#stopWithClient();
  }

  /** Ends the call of a caller who lost access: stops the provider, and charges its output. */
  endAccess(refusal = unauthenticated()): void {
    this.connection.endAccess(refusal);
  }

  /** Ends the call of a caller who has lost the permission, the project or the model that it needs. */
  endIfLost(): void {
    try {
      this.incoming.refuseEndedAccess();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.endAccess(error);
    }
  }

  #explainEnd(failure: unknown): Outcome {
    return this.connection.wasEndedByCaller ? { kind: "left" } : { kind: "failed", failure };
  }

  /**
   * Ends the call: the one place where its hold is charged or released. Only the first end counts. A call whose client
   * left pays for what was generated until then, and at least for its prompt once a provider has it. A failed one pays
   * only for output that its client has seen.
   * @throws Refusal 503 for a completed call whose charge the store doesn't accept; it is retried in the background.
   */
  async end(outcome: Outcome): Promise<void> {
    this.#state = "ended";
    const { hold } = this;
    if (outcome.kind === "completed") {
      const { usage, basis } = outcome.used;
      return hold.settle(usage, basis, { outcome: "completed", status: 200 }, outcome.recording);
    }
    if (outcome.kind === "failed") this.#logCause(outcome.failure);
    const used = outcome.kind === "left" ? this.#usedByLeaver() : this.#usedByFailure();
    const ending = { outcome: this.#nameEnd(outcome, used), status: this.#chooseStatus(outcome) };
    const resolving = used ? hold.settle(used.usage, used.basis, ending) : hold.release(ending);
    await resolving.catch(() => {});
  }

  #usedByLeaver(): ResolvedUsage | null {
    if (this.#relayed) return this.#relayed.reply.usage();
    if (!this.connection.isSent) return null;
    // The provider has read the prompt and will charge for it.
    const { promptTokens, units } = this.hold.admission.request;
    return { usage: { promptTokens, completionTokens: 0, units }, basis: "estimated" };
  }

  #usedByFailure(): ResolvedUsage | null {
    return this.#relayed?.reply.isChargedIfFailed ? this.#relayed.reply.usage() : null;
  }

  #nameEnd(outcome: Outcome, used: ResolvedUsage | null): FinalOutcome {
    if (outcome.kind === "left" && used) return "client_gone";
    const { isSent, sentBefore } = this.connection;
    return isSent || sentBefore > 0 ? "provider_failed" : "unsent";
  }

  #chooseStatus(outcome: Outcome): number {
    if (outcome.kind === "left") return this.connection.accessEnded?.status ?? 499;
    return outcome.kind === "failed" && outcome.failure instanceof Refusal ? outcome.failure.status : 500;
  }

  #logCause(failure: unknown): void {
    if (!(failure instanceof Refusal) || !failure.cause) return;
    this.context.logFault(this.hold.requestId, this.#relayed ? failure.cause : String(failure.cause));
  }

  /** Milliseconds since its first connection was reserved. */
  get #elapsedMs(): number {
    return this.connection.link.clock.monotonicMs() - this.#startedAtMs;
  }

  /**
   * Ends the call when its client disconnects. With an idempotency key it continues, so that a repeat finds the reply.
   * The server makes the client's signal when it is first read, so a call that ends within 50 ms never reads it.
   */
  #stopWithClient(): void {
    if (this.#stopsWithClient || this.hold.idempotencyLock) return;
    this.#stopsWithClient = true;
    const { clientSignal } = this.incoming.requestContext;
    if (clientSignal.aborted) this.handleEvent();
    else clientSignal.addEventListener("abort", this, { once: true });
  }

  /** Called when the client disconnects. */
  handleEvent(): void {
    this.connection.cut("client gone");
  }

  /** What the log and the receipt say of the call so far. */
  describe(): { readonly provider: string; readonly receiptDetails: string } {
    const { client } = this.incoming;
    const attempts = [...this.#failedAttempts, describeAttempt(this.connection, this.#startedAtMs, null)];
    const { checkFigures: checks } = this.hold.admission;
    const receiptDetails = writeReceiptDetails({
      client,
      settings: this.#upstream.describe(),
      checks,
      attempts,
    });
    return { provider: this.connection.route.provider, receiptDetails };
  }

  #headers(contentType: string): Record<string, string> {
    const { requestId, admission, stream } = this.hold;
    const headers = buildCompletionHeaders(requestId, admission.rateLimits, this.connection.link.clock);
    headers["content-type"] = contentType;
    headers["x-gatehouse-route"] = formatRoute(this.connection.route);
    if (stream) headers["cache-control"] = "no-cache";
    if (contentType !== "application/json") headers["x-accel-buffering"] = "no";
    const { sent, loweredBy } = this.#upstream.outputLimit;
    Object.assign(headers, describeLeftOut(this.incoming.request));
    if (loweredBy) headers["x-gatehouse-max-tokens"] = String(sent);
    return headers;
  }

  /** The failure with the words and figures that the caller may see. */
  #asCallerSees(failure: Refusal): Refusal {
    return explainFailure(failure, this.connection.route).asSeenBy(this.incoming.caller.permissionsIn);
  }
}
