import type { ReportedUsage } from "@/lib/money/charge";
import type { RequestOutcome } from "../../balance/funds";
import { EventSplitter, formatEvent } from "../../http/event-splitter";
import type { ReplySink } from "../../http/pulled-response";
import { refusalBody } from "../../http/refuse";
import type { ProviderReply } from "../../providers/provider-client";
import { type Refusal, unauthenticated } from "../../refusal";
import { EventMemory } from "../replies/event-memory";
import { joinEvents } from "../replies/join-events";
import { lengthReached } from "../replies/length-reached";
import { formatUsageEvent } from "../replies/read-usage";
import { type LongEvents, READ_AT_ONCE_BYTES } from "../replies/reply-reader";
import { ReplyRecorder } from "../replies/reply-recorder";
import { type EventRole, StreamMeter } from "../replies/stream-meter";
import type { ProviderConnection } from "../upstream/provider-connection";
import { afterStreamBegan, providerBrokeOff, readEventRefusal } from "../upstream/provider-failure";
import type { AdmittedCall, AnswerContext } from "./admitted-call";

const MAX_EVENT_BYTES = 4 * 1024 * 1024;
const CHECKPOINT_MS = 5_000;
const DONE = Buffer.from("data: [DONE]\n\n");

type Sink = Pick<ReplySink, "enqueue" | "close">;

const NULL_SINK: Sink = { enqueue: () => {}, close: () => {} };

/** Forwards one stream to its client, and settles its call. */
export class StreamRelay {
  readonly #splitter = new EventSplitter();
  readonly #meter: StreamMeter;
  readonly #connection: ProviderConnection;
  /** The stream's final event, once it has arrived. */
  #doneEvent: Buffer | null = null;
  /** The provider's usage chunk, held back until it is known to be the last one. */
  #usageEvent: Buffer | null = null;
  /** Whether the gateway ended the stream before the provider did. */
  #isCutShort = false;
  #isEnded = false;
  #isClientGone = false;
  #isPulling = false;
  /** Set if the provider's connection was closed while the client wasn't reading. That isn't the provider's fault. */
  #isStalled = false;
  #sink: Sink = NULL_SINK;
  /** The forwarded bytes, where they are stored for repeats; the stream then outlives its client. */
  #recorder: ReplyRecorder | null = null;
  readonly #eventMemory: EventMemory;
  #checkpointAtMs = performance.now() + CHECKPOINT_MS;

  constructor(
    private readonly reply: ProviderReply,
    private readonly call: AdmittedCall,
    private readonly context: Pick<AnswerContext, "logFault" | "replyReader">,
  ) {
    const { request, maxOutputTokens } = call.hold.admission;
    const maxCompletionTokens = maxOutputTokens * request.choices;
    this.#connection = call.connection;
    this.#eventMemory = new EventMemory(context.replyReader.memory, call.connection);
    const { isTokenPerEvent } = call.connection.link.kind;
    this.#meter = new StreamMeter({ isTokenPerEvent, maxCompletionTokens });
  }

  /** Collects the output for repeats, and keeps reading after the client is gone. */
  outliveClient(clientSignal: AbortSignal): void {
    this.#recorder = new ReplyRecorder();
    const cancel = () => void this.cancel();
    if (clientSignal.aborted) cancel();
    else clientSignal.addEventListener("abort", cancel, { once: true });
  }

  /** Ends the stream of a caller who lost access: stops the provider, charges its output, and sends an error. */
  endAccess(): void {
    this.#connection.cut("access ended");
    if (this.#isPulling || this.#isEnded) return;
    this.#isEnded = true;
    this.#eventMemory.release();
    void this.#breakOff(unauthenticated(), this.#sink);
  }

  async pull(controller: Sink): Promise<void> {
    this.#isPulling = true;
    this.#isStalled = this.#connection.cutoff === "too slow";
    this.#sink = controller;
    try {
      for (let forwarded = 0; (forwarded === 0 || this.#isClientGone) && !this.#isEnded; ) {
        const makingRoom = this.#eventMemory.makeRoom(this.#splitter.restBytes);
        if (makingRoom) await makingRoom;
        // Every chunk passes here, so nothing wraps the read.
        const next = this.reply.read();
        const value = next instanceof Promise ? await next : next;
        if (value === null) throw providerBrokeOff("Its stream ended without [DONE]");
        this.call.hold.firstByteCame();
        const relaying = this.#relay(value, controller);
        forwarded = typeof relaying === "number" ? relaying : await relaying;
        if (forwarded > 0) this.#eventMemory.rest();
        if (this.#doneEvent) await this.#finish(this.#doneEvent, controller);
      }
    } catch (error) {
      this.#isEnded = true;
      await this.#breakOff(this.#connection.describeFailure(error), controller);
    } finally {
      this.#isPulling = false;
      if (this.#isEnded) this.#eventMemory.release();
    }
  }

  /** The client is gone: the provider is stopped, and its output so far is charged. */
  async cancel(): Promise<void> {
    this.#isClientGone = true;
    if (this.#recorder) {
      if (!this.#isPulling) void this.pull(NULL_SINK);
      return;
    }
    this.#connection.cut("client gone");
    if (!this.#isPulling) this.#eventMemory.release();
    await this.#settle("client_gone", 499).catch(() => {});
  }

  /** @returns how many bytes were forwarded. */
  #relay(chunk: Uint8Array, controller: Sink): number | Promise<number> {
    const alike = this.#splitter.restBytes === 0 ? this.#meter.countMatching(chunk) : 0;
    const isAllAlike = alike === chunk.byteLength;
    if (alike > 0) {
      this.#connection.progress();
      this.#forward(isAllAlike ? chunk : chunk.subarray(0, alike), controller);
      this.#checkpoint();
      if (isAllAlike) return alike;
    }
    const rest = alike > 0 ? chunk.subarray(alike) : chunk;
    const mayBeLong = this.#splitter.restBytes + rest.byteLength > READ_AT_ONCE_BYTES;
    const events = this.#splitter.push(rest);
    // Single bytes don't count as progress; an event does.
    if (events.length > 0) this.#connection.progress();
    const reading = mayBeLong && this.context.replyReader.readLongEvents(events);
    if (reading) return reading.then((long) => this.#relayEvents(events, rest, controller, long));
    return alike + this.#relayEvents(events, rest, controller);
  }

  /** Forwards events one by one. @returns how many bytes were forwarded. */
  #relayEvents(events: readonly Buffer[], chunk: Uint8Array, controller: Sink, long?: LongEvents): number {
    const forward: Buffer[] = [];
    let last: { role: EventRole; event: Buffer } | null = null;
    for (const event of events) {
      const facts = long?.get(event);
      const role = facts ? this.#meter.take(facts) : this.#meter.read(event);
      if (this.#meter.exceedsLimit) {
        this.#isCutShort = true;
        forward.push(lengthReached(event, this.call.hold.admission.request.choices));
        last = { role: "done", event: DONE };
        break;
      }
      if (role !== "content" && role !== "usage") {
        last = { role, event };
        break;
      }
      if (role === "usage") this.#usageEvent = event;
      else forward.push(event);
    }
    const size = forward.reduce((sum, event) => sum + event.byteLength, 0);
    if (size > 0) this.#forward(joinEvents(forward, size, chunk), controller);
    if (last?.role === "error") throw readEventRefusal(last.event, this.#connection.link.client);
    if (last?.role === "unreadable") throw providerBrokeOff("It sent an event that is no JSON");
    if (this.#splitter.restBytes > MAX_EVENT_BYTES)
      throw providerBrokeOff(`It sent an event of more than ${MAX_EVENT_BYTES} bytes`);
    this.#checkpoint();
    this.#doneEvent = last?.event ?? null;
    return size;
  }

  async #finish(done: Buffer, controller: Sink): Promise<void> {
    this.#isEnded = true;
    this.#connection.noteSuccess();
    if (this.#isCutShort) this.#connection.close();
    else void this.#connection.endBehind(this.reply);
    const end = this.call.wantsUsage ? this.#endWithUsage(done) : done;
    this.#recorder?.add(end);
    await this.#settle("completed", 200, this.#recorder?.text ?? undefined);
    if (this.#isClientGone) return;
    controller.enqueue(end);
    controller.close();
  }

  /** The end of the stream with the charged usage before it: the provider's own chunk where the two are equal. */
  #endWithUsage(done: Buffer): Buffer {
    const { reported, isReportedLast } = this.#meter;
    const charged = this.call.hold.coveredPart(this.#usage());
    const isAsReported = isReportedLast && charged === reported;
    const usageEvent = isAsReported ? this.#usageEvent : formatUsageEvent(charged);
    return usageEvent ? Buffer.concat([usageEvent, done]) : done;
  }

  #forward(bytes: Uint8Array, controller: Sink): void {
    this.#recorder?.add(bytes);
    if (!this.#isClientGone) controller.enqueue(bytes);
  }

  async #breakOff(failure: Refusal, controller: Sink): Promise<void> {
    const { cutoff } = this.#connection;
    if (cutoff === "client gone") {
      await this.#settle("client_gone", 499).catch(() => {});
      if (!this.#isClientGone) controller.close();
      return;
    }
    this.#connection.close();
    const { hold } = this.call;
    if (cutoff === "access ended") {
      await this.#settle("client_gone", failure.status).catch(() => {});
      return this.#sendRefusal(failure, controller);
    }
    if (failure.cause) this.context.logFault(hold.requestId, failure.cause);
    const refusal = afterStreamBegan(failure);
    if (!this.#isStalled) this.#connection.noteFailure(refusal);
    const ended = this.#meter.hasContent
      ? this.#settle("provider_failed", refusal.status)
      : hold.release({ outcome: "provider_failed", status: refusal.status });
    await ended.catch(() => {});
    this.#sendRefusal(refusal, controller);
  }

  #sendRefusal(refusal: Refusal, controller: Sink): void {
    if (this.#isClientGone) return;
    const visibleRefusal = this.call.asCallerSees(refusal);
    controller.enqueue(formatEvent(refusalBody(visibleRefusal, this.call.hold.requestId, "openai")));
    controller.close();
  }

  async #settle(outcome: RequestOutcome, status: number, reply?: string): Promise<void> {
    const usage = this.#usage();
    const basis = usage === this.#meter.reported ? "reported" : "estimated";
    await this.call.hold.settle(usage, basis, { outcome, status }, reply);
  }

  /** The reported usage where it is complete; otherwise at least the counted tokens. */
  #usage(): ReportedUsage {
    const { reported, isReportedLast, completionTokens } = this.#meter;
    if (!reported) return { promptTokens: this.call.hold.admission.request.promptTokens, completionTokens };
    const isEnough = isReportedLast || reported.completionTokens >= completionTokens;
    return isEnough ? reported : { ...reported, completionTokens };
  }

  #checkpoint(): void {
    const now = performance.now();
    if (now < this.#checkpointAtMs) return;
    this.#checkpointAtMs = now + CHECKPOINT_MS;
    this.call.hold.checkpoint(this.#meter.completionTokens);
  }
}
