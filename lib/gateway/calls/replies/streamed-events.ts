import { ZERO } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { EventSplitter, formatEvent, withoutByteOrderMark } from "../../http/event-splitter";
import type { ServerReply } from "../../http/outbound/server-reply";
import { refusalBody } from "../../http/refuse";
import type { ProviderConnection } from "../../providers/provider-connection";
import { providerBrokeOff, readEventRefusal } from "../../providers/provider-failure";
import type { ProviderLink } from "../../providers/provider-link";
import type { Refusal } from "../../refusal";
import { toUnixSeconds } from "../../unix-seconds";
import type { HeldCall } from "../holds/held-call";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import { type ResolvedUsage, resolveUsage, showsCharge } from "../usage/resolve-usage";
import { formatUsageEvent } from "../usage/write-usage";
import { ModelNames } from "./model-names";
import type { ReplyClient, StreamedReply } from "./reply-client";
import { MAX_REPLY_BYTES, type ReplyShare, SYNCHRONOUS_BYTES } from "./reply-memory";
import type { LongEvents, ReplyReader } from "./reply-reader";
import { type ParsedEvent, readChunkHead } from "./stream-event";
import { type EventRole, StreamMeter } from "./stream-meter";
import type { EventSource } from "./whole-completion";

const DONE = Buffer.from("data: [DONE]\n\n");
const EVENT_END = Buffer.from("\n\n");

/** The call whose reply is forwarded. */
interface EventsCall {
  readonly client: ReplyClient;
  readonly connection: ProviderConnection;
  readonly hold: HeldCall;
  readonly incoming: Pick<IncomingCall<CompletionRequest>, "request">;
}

/** A stream of events. The usage chunk and the end of the stream wait for the charge. */
export class StreamedEvents implements StreamedReply {
  readonly #used: EventUsage;
  readonly #splitter = new EventSplitter();
  /** The memory of a long event, from its first bytes until it was sent to the client. */
  #longEventShare: ReplyShare | null = null;
  readonly #connection: ProviderConnection;
  readonly #names: ModelNames;
  #isComplete = false;
  /** Whether the gateway ended the answer at its output limit. */
  #isCutShort = false;
  #wasFinished = false;
  /** The last event that was no chunk, which may tell why there are none. */
  #skippedEvent: Buffer | null = null;

  constructor(
    private readonly reply: EventSource,
    private readonly call: EventsCall,
    private readonly replyReader: Pick<ReplyReader, "memory" | "readLongEvents">,
  ) {
    this.#connection = call.connection;
    this.#names = new ModelNames(call.incoming.request.fields.model);
    this.#used = new EventUsage(call.hold, call.connection.link);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isFinished(): boolean {
    return this.#used.meter.isFinished;
  }

  makeRoom(): Promise<void> | null {
    const { restBytes } = this.#splitter;
    if (restBytes <= SYNCHRONOUS_BYTES) {
      this.#longEventShare?.release();
      return null;
    }
    this.#longEventShare ??= this.replyReader.memory.newShare();
    return this.#longEventShare.growTo(restBytes, this.#connection);
  }

  read(): ReturnType<ServerReply["read"]> {
    return this.reply.read();
  }

  forward(chunk: Uint8Array | null): number | Promise<number> {
    if (chunk === null) return this.#forwardLast();
    const alike = this.#splitter.restBytes === 0 ? this.#used.meter.countMatching(chunk) : 0;
    const isAllAlike = alike === chunk.byteLength;
    if (alike > 0) {
      this.#connection.noteProgress();
      this.call.client.forward(this.#names.renameAlike(isAllAlike ? chunk : chunk.subarray(0, alike)));
      this.#used.checkpoint();
      if (isAllAlike) return alike;
    }
    const rest = alike > 0 ? chunk.subarray(alike) : chunk;
    const mayBeLong = this.#splitter.restBytes + rest.byteLength > SYNCHRONOUS_BYTES;
    const events = this.#splitter.push(rest);
    // Single bytes don't count as progress; an event does.
    if (events.length > 0) this.#connection.noteProgress();
    const reading = mayBeLong && this.replyReader.readLongEvents(events);
    if (reading) return reading.then((long) => this.#pace(alike + this.#forwardEvents(events, rest, long)));
    return this.#pace(alike + this.#forwardEvents(events, rest));
  }

  /** The end of the reply, whose last event may lack its empty line. */
  #forwardLast(): number | Promise<number> {
    const rest = this.#splitter.flush();
    const last = Buffer.concat([rest, EVENT_END]);
    const events = rest.byteLength > 0 ? [last] : [];
    const reading = this.replyReader.readLongEvents(events);
    if (reading) return reading.then((long) => this.#end(this.#forwardEvents(events, last, long)));
    return this.#end(this.#forwardEvents(events, last));
  }

  #end(forwarded: number): number {
    if (!this.#isComplete && !this.isFinished)
      throw this.#explainEnd("Its stream ended without a finish reason and without [DONE]");
    this.#isComplete = true;
    return forwarded;
  }

  /** @returns 0 in place of the bytes with the finish reason, so that what follows is read without its client. */
  #pace(forwarded: number): number {
    if (this.#wasFinished || this.#isComplete || !this.isFinished) return forwarded;
    this.#wasFinished = true;
    this.#connection.noteFinished();
    return 0;
  }

  /** Forwards events one by one. @returns how many bytes were forwarded. */
  #forwardEvents(events: readonly Buffer[], chunk: Uint8Array, long?: LongEvents): number {
    const { meter } = this.#used;
    const forward: Buffer[] = [];
    let last: { role: EventRole; event: Buffer } | null = null;
    for (const event of events) {
      const parsed = long?.get(event);
      const role = parsed ? meter.take(parsed) : meter.read(event);
      if (meter.exceedsLimit) {
        forward.push(this.#names.rename(writeLengthEvent(event, this.call.hold.admission.request.choices)));
        this.#isCutShort = true;
        break;
      }
      if (role === "skipped") {
        if (event.byteLength <= SYNCHRONOUS_BYTES) this.#skippedEvent = event;
      } else if (role === "usage") this.#used.holdBack(this.#rename(event, parsed));
      else if (role === "content") {
        const named = this.#rename(event, parsed);
        this.#used.noteChunk(named);
        forward.push(withoutByteOrderMark(named));
      } else {
        last = { role, event };
        break;
      }
    }
    const size = forward.reduce((sum, event) => sum + event.byteLength, 0);
    if (size > 0) this.call.client.forward(joinEvents(forward, size, chunk));
    if (last?.role === "error") throw readEventRefusal(last.event, this.#connection.link.client);
    if (last?.role === "unreadable") throw providerBrokeOff("It sent an event that is no JSON");
    if (last?.role === "done" && !meter.hasChunk) throw this.#explainEnd("Its stream had no answer");
    if (this.#splitter.restBytes > MAX_REPLY_BYTES)
      throw providerBrokeOff(`It sent an event of more than ${MAX_REPLY_BYTES} bytes`);
    this.#used.checkpoint();
    this.#isComplete = this.#isCutShort || last !== null || this.#used.isComplete;
    if (size > 0) this.#longEventShare?.rest();
    return size;
  }

  #rename(event: Buffer, parsed?: ParsedEvent): Buffer {
    return this.#names.rename(event, parsed && "modelPlace" in parsed ? parsed.modelPlace : undefined);
  }

  /** The failure of a stream that ended too early. What it sent in place of a chunk may tell the reason. */
  #explainEnd(cause: string): Refusal {
    const event = this.#skippedEvent ?? Buffer.alloc(0);
    return readEventRefusal(event, this.#connection.link.client, cause);
  }

  release(): void {
    this.#longEventShare?.release();
    this.reply.share?.release();
  }

  finish(): Buffer {
    if (this.#isCutShort) this.#connection.close();
    else void this.#connection.endBehind(this.reply);
    const { stream_options } = this.call.incoming.request.fields;
    const usageEvent = stream_options?.include_usage === true ? this.#used.usageEvent() : null;
    return usageEvent ? Buffer.concat([usageEvent, DONE]) : DONE;
  }

  get costsIfFailed(): boolean {
    return this.#used.costsIfFailed;
  }

  get isChargedIfFailed(): boolean {
    return this.#used.meter.hasContent;
  }

  usage(): ResolvedUsage {
    return this.#used.resolve();
  }

  describeFailure(visibleRefusal: Refusal): Buffer {
    return formatEvent(refusalBody(visibleRefusal, this.call.hold.requestId, "openai"));
  }
}

/**
 * Joins events into one chunk. Where they make up the whole chunk that they arrived in, it returns that chunk without
 * copying.
 */
function joinEvents(events: readonly Buffer[], size: number, chunk: Uint8Array): Uint8Array {
  const first = events[0];
  if (events.length === 1 && first) return first;
  const isUnchanged = size === chunk.byteLength && events.every(({ buffer }) => buffer === chunk.buffer);
  return isUnchanged ? chunk : Buffer.concat(events, size);
}

/** The last chunk of an answer that reached its output limit, with the id and model of the event that exceeded it. */
function writeLengthEvent(event: Buffer, choices: number): Buffer {
  const { id, created, model } = readChunkHead(event);
  const ends = Array.from({ length: choices }, (_, index) => ({ index, delta: {}, finish_reason: "length" }));
  const chunk = { id, object: "chat.completion.chunk", created, model, choices: ends };
  return formatEvent(chunk);
}

const CHECKPOINT_MS = 5_000;
const COLON = 0x3a;

/** What a stream of events costs: the tokens that it has brought so far. */
class EventUsage {
  readonly meter: StreamMeter;
  /** The provider's usage chunk, held back until it is known to be the last one. */
  #usageEvent: Buffer | null = null;
  /** The last chunk that was passed on. */
  #lastChunk: Buffer | null = null;
  /** A time on the monotonic clock. */
  #checkpointAtMs: number;

  /** @param link of the provider that sends the stream; on `isTokenPerEvent` see `StreamMeter`. */
  constructor(
    private readonly hold: HeldCall,
    private readonly link: Pick<ProviderLink, "clock" | "isTokenPerEvent">,
  ) {
    const { request, maxOutputTokens } = hold.admission;
    const { choices } = request;
    this.meter = new StreamMeter(link.isTokenPerEvent, maxOutputTokens * choices, choices);
    this.#checkpointAtMs = link.clock.monotonicMs() + CHECKPOINT_MS;
  }

  /** Whether the answer is whole and its usage has come: nothing more is needed. */
  get isComplete(): boolean {
    return this.meter.isFinished && this.meter.isReportedLast && this.#usageEvent !== null;
  }

  holdBack(usageEvent: Buffer): void {
    this.#usageEvent = usageEvent;
  }

  /** Expects each event that is passed on; comments, which begin with a colon, are no chunks. */
  noteChunk(event: Buffer): void {
    if (event[0] !== COLON) this.#lastChunk = event;
  }

  /** Stores the tokens so far from time to time, so that they are charged if the gateway dies. */
  checkpoint(): void {
    const now = this.link.clock.monotonicMs();
    if (now < this.#checkpointAtMs) return;
    this.#checkpointAtMs = now + CHECKPOINT_MS;
    this.hold.checkpoint(this.meter.completionTokens);
  }

  /** An event with the charged usage: the provider's own chunk where the two are equal. */
  usageEvent(): Buffer | null {
    const { usage, basis } = this.resolve();
    const charged = this.hold.coveredPart(usage);
    const isShown = basis === "reported" && showsCharge(this.meter.reported, charged) && this.#hasChunkForm;
    return isShown ? this.#usageEvent : formatUsageEvent(charged, this.#head());
  }

  /** Whether clients can read the provider's usage event, or there is none because its usage came in a chunk. */
  get #hasChunkForm(): boolean {
    return this.#usageEvent === null || Array.isArray(readChunkHead(this.#usageEvent).choices);
  }

  /** The head of a chunk that the gateway adds: the stream's own, where it has one. */
  #head() {
    const { id, created, model } = readChunkHead(this.#usageEvent ?? this.#lastChunk ?? Buffer.alloc(0));
    const { requestId, createdAtMs, admission } = this.hold;
    return {
      id: id ?? requestId,
      created: created ?? toUnixSeconds(createdAtMs),
      model: model ?? admission.request.model,
    };
  }

  get costsIfFailed(): boolean {
    return (
      this.meter.hasContent && computeCharge(this.resolve().usage, this.hold.admission.request.price) > ZERO
    );
  }

  /** The reported usage, of which the output is complete or at least what was counted. */
  resolve(): ResolvedUsage {
    const { promptTokens, minPromptTokens = 0 } = this.hold.admission.request;
    const { reported, counted: output, minCompletionTokens } = this.meter;
    return resolveUsage(reported, { promptTokens, output, minPromptTokens, minCompletionTokens });
  }
}
