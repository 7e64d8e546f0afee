import { EventSplitter, formatEvent } from "../../http/event-splitter";
import type { ReplySink } from "../../http/pulled-response";
import { refusalBody } from "../../http/refuse";
import type { ServerReply } from "../../outbound/server-reply";
import { type Refusal, unauthenticated } from "../../refusal";
import { EventMemory } from "../replies/event-memory";
import { type LongEvents, READ_AT_ONCE_BYTES } from "../replies/reply-reader";
import { ReplyRecorder } from "../replies/reply-recorder";
import type { EventRole } from "../replies/stream-meter";
import type { ProviderConnection } from "../upstream/provider-connection";
import { afterStreamBegan, providerBrokeOff, readEventRefusal } from "../upstream/provider-failure";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { readChunkHead } from "./chunk-head";
import { ReplyClient } from "./reply-client";
import { StreamCharge } from "./stream-charge";

const MAX_EVENT_BYTES = 4 * 1024 * 1024;
/** Ends a stream that the gateway cuts short at the output limit. */
const CUT_SHORT = Buffer.from("data: [DONE]\n\n");

/** Forwards one stream to its client, and settles its call. */
export class StreamRelay {
  #state: "waiting for the client" | "reading" | "ended" = "waiting for the client";
  readonly #splitter = new EventSplitter();
  readonly #eventMemory: EventMemory;
  readonly #connection: ProviderConnection;
  readonly #charge: StreamCharge;
  readonly #client: ReplyClient;
  /** The stream's final event, once it has arrived. */
  #doneEvent: Buffer | null = null;

  constructor(
    private readonly reply: ServerReply,
    private readonly call: AdmittedCall,
    private readonly context: Pick<AnswerContext, "logFault" | "replyReader">,
  ) {
    this.#connection = call.connection;
    this.#client = new ReplyClient(call.incoming.capture);
    this.#eventMemory = new EventMemory(context.replyReader.memory, call.connection);
    this.#charge = new StreamCharge(call.hold, call.connection.link.isTokenPerEvent);
  }

  get #isReading(): boolean {
    return this.#state === "reading";
  }

  /** Collects the output for repeats, and keeps reading after the client is gone. */
  outliveClient(clientSignal: AbortSignal): void {
    this.#client.record(new ReplyRecorder(), clientSignal, () => void this.cancel());
  }

  /** Ends the stream of a caller who lost access: stops the provider, charges its output, and sends an error. */
  endAccess(): void {
    this.#connection.cut("access ended");
  }

  /** Called while the client doesn't read. One that reads, or has yet to begin, gets the error where its read fails. */
  readonly #onCut = () => {
    const { cutoff } = this.#connection;
    if (this.#state !== "waiting for the client" || (cutoff !== "access ended" && cutoff !== "too slow"))
      return;
    this.#state = "ended";
    this.#eventMemory.release();
    void (cutoff === "too slow" ? this.#endUnread() : this.#breakOff(unauthenticated()));
  };

  pull(sink: ReplySink): Promise<void> {
    this.#client.connect(sink);
    return this.#read();
  }

  /** The client is gone: the provider is stopped, and its output so far is charged. */
  async cancel(): Promise<void> {
    this.#client.leave();
    if (this.#client.isRecorded) {
      if (this.#state === "waiting for the client") void this.#read();
      return;
    }
    this.#connection.cut("client gone");
    if (!this.#isReading) this.#eventMemory.release();
    await this.#charge.settle("client_gone", 499).catch(() => {});
    this.#client.end();
  }

  /** Reads until something was forwarded, or to the end once the client is gone. */
  async #read(): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "reading";
    const wasUnread = this.#connection.cutoff === "too slow";
    try {
      for (let forwarded = 0; (forwarded === 0 || this.#client.isGone) && this.#isReading; ) {
        const makingRoom = this.#eventMemory.makeRoom(this.#splitter.restBytes);
        if (makingRoom) await makingRoom;
        // Every chunk passes here, so nothing wraps the read.
        const next = this.reply.read();
        const value = next instanceof Promise ? await next : next;
        if (value === null) throw providerBrokeOff("Its stream ended without [DONE]");
        this.call.hold.noteFirstByte();
        const relaying = this.#relay(value);
        forwarded = typeof relaying === "number" ? relaying : await relaying;
        if (forwarded > 0) this.#eventMemory.rest();
        if (this.#doneEvent) await this.#finish(this.#doneEvent);
      }
    } catch (error) {
      this.#state = "ended";
      await this.#breakOff(this.#connection.describeFailure(error), { wasUnread });
    } finally {
      if (this.#isReading) {
        this.#state = "waiting for the client";
        this.#connection.setCutListener(this.#onCut);
      } else this.#eventMemory.release();
    }
  }

  /** @returns how many bytes were forwarded. */
  #relay(chunk: Uint8Array): number | Promise<number> {
    const alike = this.#splitter.restBytes === 0 ? this.#charge.meter.countMatching(chunk) : 0;
    const isAllAlike = alike === chunk.byteLength;
    if (alike > 0) {
      this.#connection.noteProgress();
      this.#client.forward(isAllAlike ? chunk : chunk.subarray(0, alike));
      this.#charge.checkpoint();
      if (isAllAlike) return alike;
    }
    const rest = alike > 0 ? chunk.subarray(alike) : chunk;
    const mayBeLong = this.#splitter.restBytes + rest.byteLength > READ_AT_ONCE_BYTES;
    const events = this.#splitter.push(rest);
    // Single bytes don't count as progress; an event does.
    if (events.length > 0) this.#connection.noteProgress();
    const reading = mayBeLong && this.context.replyReader.readLongEvents(events);
    if (reading) return reading.then((long) => alike + this.#relayEvents(events, rest, long));
    return alike + this.#relayEvents(events, rest);
  }

  /** Forwards events one by one. @returns how many bytes were forwarded. */
  #relayEvents(events: readonly Buffer[], chunk: Uint8Array, long?: LongEvents): number {
    const { meter } = this.#charge;
    const forward: Buffer[] = [];
    let last: { role: EventRole; event: Buffer } | null = null;
    for (const event of events) {
      const facts = long?.get(event);
      const role = facts ? meter.take(facts) : meter.read(event);
      if (meter.exceedsLimit) {
        forward.push(writeLengthEvent(event, this.call.hold.admission.request.choices));
        last = { role: "done", event: CUT_SHORT };
        break;
      }
      if (role !== "content" && role !== "usage") {
        last = { role, event };
        break;
      }
      if (role === "usage") this.#charge.holdBack(event);
      else {
        this.#charge.noteChunk(event);
        forward.push(event);
      }
    }
    const size = forward.reduce((sum, event) => sum + event.byteLength, 0);
    if (size > 0) this.#client.forward(joinEvents(forward, size, chunk));
    if (last?.role === "error") throw readEventRefusal(last.event, this.#connection.link.client);
    if (last?.role === "unreadable") throw providerBrokeOff("It sent an event that is no JSON");
    if (this.#splitter.restBytes > MAX_EVENT_BYTES)
      throw providerBrokeOff(`It sent an event of more than ${MAX_EVENT_BYTES} bytes`);
    this.#charge.checkpoint();
    this.#doneEvent = last?.event ?? null;
    return size;
  }

  async #finish(done: Buffer): Promise<void> {
    this.#state = "ended";
    this.#connection.noteSuccess();
    if (done === CUT_SHORT) this.#connection.close();
    else void this.#connection.endBehind(this.reply);
    const usageEvent = this.call.wantsUsage ? this.#charge.usageEvent() : null;
    const end = usageEvent ? Buffer.concat([usageEvent, done]) : done;
    this.#client.store(end);
    await this.#charge.settle("completed", 200, this.#client.recording);
    this.#client.end(end);
  }

  /** The client read nothing until the call's deadline, which is no failure of its provider. */
  async #endUnread(): Promise<void> {
    await this.#charge.settle("client_gone", 499).catch(() => {});
    this.#client.breakOff();
  }

  /** @param wasUnread the client began to read only after the call's deadline, which is no failure of its provider. */
  async #breakOff(failure: Refusal, { wasUnread = false } = {}): Promise<void> {
    const { cutoff } = this.#connection;
    if (cutoff === "client gone") {
      await this.#charge.settle("client_gone", 499).catch(() => {});
      return this.#client.end();
    }
    this.#connection.close();
    const { requestId } = this.call.hold;
    if (cutoff === "access ended") {
      await this.#charge.settle("client_gone", failure.status).catch(() => {});
      return this.#client.end(this.#describe(failure));
    }
    if (failure.cause) this.context.logFault(requestId, failure.cause);
    const refusal = afterStreamBegan(failure);
    if (!wasUnread) this.#connection.noteFailure(refusal);
    await this.#charge.settleFailed(refusal.status).catch(() => {});
    this.#client.end(this.#describe(refusal));
  }

  #describe(refusal: Refusal): Buffer {
    const visibleRefusal = this.call.asCallerSees(refusal);
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
  return size === chunk.byteLength && first?.buffer === chunk.buffer ? chunk : Buffer.concat(events, size);
}

/** The last chunk of an answer that reached its output limit, with the id and model of the event that exceeded it. */
function writeLengthEvent(event: Buffer, choices: number): Buffer {
  const { id, created, model } = readChunkHead(event);
  const ends = Array.from({ length: choices }, (_, index) => ({ index, delta: {}, finish_reason: "length" }));
  const chunk = { id, object: "chat.completion.chunk", created, model, choices: ends };
  return formatEvent(chunk);
}
