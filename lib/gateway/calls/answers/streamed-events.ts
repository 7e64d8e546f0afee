import { EventSplitter, formatEvent, withoutByteOrderMark } from "../../http/event-splitter";
import type { ServerReply } from "../../http/outbound/server-reply";
import { refusalBody } from "../../http/refuse";
import type { ProviderConnection } from "../../providers/provider-connection";
import { providerBrokeOff, readEventRefusal } from "../../providers/provider-failure";
import type { Refusal } from "../../refusal";
import type { OpenHold } from "../holds/open-hold";
import type { EventFacts } from "../replies/event-facts";
import { EventMemory } from "../replies/event-memory";
import { ModelNames } from "../replies/model-names";
import { MAX_REPLY_BYTES } from "../replies/reply-memory";
import { type LongEvents, type ReplyReader, SYNCHRONOUS_BYTES } from "../replies/reply-reader";
import type { EventRole } from "../replies/stream-meter";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import type { ResolvedUsage } from "../usage/resolve-usage";
import { readChunkHead } from "./chunk-head";
import { EventUsage } from "./event-usage";
import type { EventSource } from "./read-as-events";
import type { ReplyClient } from "./reply-client";
import type { StreamedReply } from "./streamed-reply";

const DONE = Buffer.from("data: [DONE]\n\n");
const EVENT_END = Buffer.from("\n\n");

/** The call whose reply is forwarded. */
interface EventsCall {
  readonly client: ReplyClient;
  readonly connection: ProviderConnection;
  readonly hold: OpenHold;
  readonly incoming: Pick<IncomingCall<CompletionRequest>, "request">;
}

/** A stream of events. The usage chunk and the end of the stream wait for the charge. */
export class StreamedEvents implements StreamedReply {
  readonly #used: EventUsage;
  readonly #splitter = new EventSplitter();
  readonly #eventMemory: EventMemory;
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
    this.#eventMemory = new EventMemory(replyReader.memory, call.connection);
    this.#used = new EventUsage(call.hold, call.connection.link);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  get isFinished(): boolean {
    return this.#used.meter.isFinished;
  }

  makeRoom(): Promise<void> | null {
    return this.#eventMemory.makeRoom(this.#splitter.restBytes);
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
      const facts = long?.get(event);
      const role = facts ? meter.take(facts) : meter.read(event);
      if (meter.exceedsLimit) {
        forward.push(this.#names.rename(writeLengthEvent(event, this.call.hold.admission.request.choices)));
        this.#isCutShort = true;
        break;
      }
      if (role === "skipped") {
        if (event.byteLength <= SYNCHRONOUS_BYTES) this.#skippedEvent = event;
      } else if (role === "usage") this.#used.holdBack(this.#rename(event, facts));
      else if (role === "content") {
        const named = this.#rename(event, facts);
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
    if (size > 0) this.#eventMemory.rest();
    return size;
  }

  #rename(event: Buffer, facts?: EventFacts): Buffer {
    return this.#names.rename(event, facts && "modelPlace" in facts ? facts.modelPlace : undefined);
  }

  /** The failure of a stream that ended too early. What it sent in place of a chunk may tell the reason. */
  #explainEnd(cause: string): Refusal {
    const event = this.#skippedEvent ?? Buffer.alloc(0);
    return readEventRefusal(event, this.#connection.link.client, cause);
  }

  release(): void {
    this.#eventMemory.release();
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
