import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import { isObject } from "@/lib/contract/json-value";
import { ZERO } from "@/lib/money/amount";
import { computeCharge } from "@/lib/money/charge";
import { EventSplitter, readEventData } from "../../http/event-splitter";
import { scanObject, withoutByteOrderMark } from "../../http/json";
import type { ServerReply } from "../../http/outbound/server-reply";
import { refusalBody } from "../../http/response";
import type { ProviderConnection } from "../../providers/provider-connection";
import { providerBrokeOff, readEventRefusal } from "../../providers/provider-failure";
import type { ProviderLink } from "../../providers/provider-link";
import type { Refusal } from "../../refusal";
import { toAnthropicUsage, writeEvent } from "../anthropic/message-blocks";
import { describeEvidence, type HeldCall } from "../holds/held-call";
import type { IncomingCall } from "../requests/incoming-call";
import type { CompletionRequest } from "../requests/prepared-request";
import { listOwnValues } from "../responses/turn";
import { toChatUsageObject } from "../usage/read-usage";
import { type ResolvedUsage, resolveUsage } from "../usage/resolve-usage";
import { ChatStreamForm } from "./chat-stream-form";
import type { ReplyClient, StreamedReply } from "./reply-client";
import { MAX_REPLY_BYTES, type ReplyShare, SYNCHRONOUS_BYTES } from "./reply-memory";
import type { LongEvents, ReplyReader } from "./reply-reader";
import { ResponseStreamForm } from "./response-stream-form";
import type { StreamCost, StreamedCall, StreamForm } from "./stream-form";
import { type EventForm, type EventRole, eventForms, StreamMeter } from "./stream-meter";
import type { EventSource } from "./whole-completion";

const MESSAGE_START = Buffer.from('"message_start"');
const MESSAGE_STOP = writeEvent("message_stop", {});

/**
 * A stream of Anthropic's events. Its `message_delta`, which ends the answer and has its usage, waits for the charge,
 * and so does `message_stop`.
 */
class MessageStreamForm implements StreamForm {
  #isNamed = false;
  #ends: Buffer[] = [];
  #isCutShort = false;

  constructor(private readonly call: StreamedCall) {}

  get hasUsage(): boolean {
    return this.#ends.length > 0;
  }

  rename(event: Buffer): Buffer {
    if (this.#isNamed || !event.includes(MESSAGE_START)) return event;
    this.#isNamed = true;
    return renameMessage(event, this.call.fields.model);
  }

  renameAlike(chunk: Uint8Array): Uint8Array {
    return chunk;
  }

  holdBack(event: Buffer): void {
    this.#ends.push(event);
  }

  /** Closes the block that is open. */
  cutShort(event: Buffer): Buffer {
    this.#ends = [];
    this.#isCutShort = true;
    const { type, index } = readFields(event);
    const isOpen = type === "content_block_delta" && typeof index === "number";
    return Buffer.from(isOpen ? writeEvent("content_block_stop", { index }) : "");
  }

  end({ used: { usage, basis }, reported }: StreamCost): Buffer {
    const charged = this.call.hold.coveredPart(usage);
    const isShown =
      basis === "reported" &&
      reported?.promptTokens === charged.promptTokens &&
      reported.completionTokens === charged.completionTokens;
    const [only, ...more] = this.#ends;
    if (only && more.length === 0 && isShown) return Buffer.concat([only, Buffer.from(MESSAGE_STOP)]);
    return Buffer.from(this.#writeEnd(toAnthropicUsage(toChatUsageObject(charged))) + MESSAGE_STOP);
  }

  /** What the provider's own ends say, with the usage that is charged. */
  #writeEnd(charged: object): string {
    const stop = { stop_reason: this.#isCutShort ? "max_tokens" : "end_turn", stop_sequence: null };
    let fields: Record<string, unknown> = {};
    let [delta, usage]: [object, object] = [stop, {}];
    for (const end of this.#ends) {
      const { type: _, ...said } = readFields(end);
      fields = { ...fields, ...said };
      if (isObject(said.delta) && said.delta.stop_reason) delta = said.delta;
      if (isObject(said.usage)) usage = { ...usage, ...said.usage };
    }
    return writeEvent("message_delta", { ...fields, delta, usage: { ...usage, ...charged } });
  }

  fail(refusal: Refusal): Buffer {
    const body = refusalBody(refusal, this.call.hold.requestId, "anthropic");
    return Buffer.from(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  }
}

function readFields(event: Buffer): Record<string, unknown> {
  if (event.byteLength > SYNCHRONOUS_BYTES) return {};
  try {
    const fields: unknown = JSON.parse(readEventData(event) ?? "{}");
    return isObject(fields) ? fields : {};
  } catch {
    return {};
  }
}

/** The event with another name of its message's model. Every other byte stays. */
function renameMessage(event: Buffer, name: string): Buffer {
  if (event.byteLength > SYNCHRONOUS_BYTES) return event;
  // In Latin-1 a character is a byte.
  const text = event.toString("latin1");
  const start = text.indexOf("{");
  const message = start < 0 ? undefined : scanObject(text.slice(start)).members.get("message");
  if (!message) return event;
  const at = start + message.valueStart;
  const model = scanObject(text.slice(at, start + message.end)).members.get("model");
  if (!model) return event;
  const named = Buffer.from(JSON.stringify(name));
  return Buffer.concat([event.subarray(0, at + model.valueStart), named, event.subarray(at + model.end)]);
}

const EVENT_END = Buffer.from("\n\n");
const forms: Readonly<Record<ProviderProtocol, new (call: StreamedCall) => StreamForm>> = {
  chat: ChatStreamForm,
  messages: MessageStreamForm,
  responses: ResponseStreamForm,
};

/** The call whose reply is forwarded. */
interface EventsCall {
  readonly client: ReplyClient;
  readonly connection: ProviderConnection;
  readonly hold: HeldCall;
  readonly incoming: Pick<IncomingCall<CompletionRequest>, "request">;
  /** The protocol of its stream, which may become another one behind it. */
  readonly protocol: ProviderProtocol;
}

/** A stream of events. The usage and the end of the stream wait for the charge. */
export class StreamedEvents implements StreamedReply {
  readonly #used: EventUsage;
  readonly #splitter = new EventSplitter();
  /** The memory of a long event, from its first bytes until it was sent to the client. */
  #longEventShare: ReplyShare | null = null;
  readonly #connection: ProviderConnection;
  readonly #form: StreamForm;
  #isComplete = false;
  /** Whether the gateway ended the answer at its output limit. */
  #isCutShort = false;
  #wasFinished = false;
  /** The last event that was no chunk. It may explain why no chunks came. */
  #skippedEvent: Buffer | null = null;

  constructor(
    private readonly reply: EventSource,
    private readonly call: EventsCall,
    private readonly replyReader: Pick<ReplyReader, "memory" | "readLongEvents">,
  ) {
    this.#connection = call.connection;
    const { hold, protocol } = call;
    const { fields, turn } = call.incoming.request;
    const streamed = { hold, fields, account: call.connection.link.account, own: listOwnValues(turn) };
    this.#form = new forms[protocol](streamed);
    this.#used = new EventUsage(hold, call.connection.link, eventForms[protocol]);
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
      this.call.client.forward(this.#form.renameAlike(isAllAlike ? chunk : chunk.subarray(0, alike)));
      this.#used.checkpoint();
      if (isAllAlike) return alike;
    }
    const rest = alike > 0 ? chunk.subarray(alike) : chunk;
    const mayBeLong = this.#splitter.restBytes + rest.byteLength > SYNCHRONOUS_BYTES;
    const events = this.#splitter.push(rest);
    // Single bytes don't count as progress; an event does.
    if (events.length > 0) this.#connection.noteProgress();
    const reading = mayBeLong && this.replyReader.readLongEvents(events, this.call.protocol);
    if (reading) return reading.then((long) => this.#pace(alike + this.#forwardEvents(events, rest, long)));
    return this.#pace(alike + this.#forwardEvents(events, rest));
  }

  /** The end of the reply, whose last event may lack its empty line. */
  #forwardLast(): number | Promise<number> {
    const rest = this.#splitter.flush();
    const last = Buffer.concat([rest, EVENT_END]);
    const events = rest.byteLength > 0 ? [last] : [];
    const reading = this.replyReader.readLongEvents(events, this.call.protocol);
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
        forward.push(this.#form.cutShort(event, this.call.hold.admission.request.choices));
        this.#isCutShort = true;
        break;
      }
      if (role === "skipped") {
        if (event.byteLength <= SYNCHRONOUS_BYTES) this.#skippedEvent = event;
      } else if (role === "usage") this.#form.holdBack(event, parsed);
      else if (role === "content") forward.push(withoutByteOrderMark(this.#form.rename(event, parsed)));
      else {
        last = { role, event };
        break;
      }
    }
    const size = forward.reduce((sum, event) => sum + event.byteLength, 0);
    if (size > 0) this.call.client.forward(joinEvents(forward, size, chunk));
    if (last?.role === "error") throw readEventRefusal(last.event, this.#connection.client);
    if (last?.role === "unreadable")
      throw providerBrokeOff("It sent an event that is no JSON", { why: "odd_answer" });
    if (last?.role === "done" && !meter.hasChunk) throw this.#explainEnd("Its stream had no answer");
    if (this.#splitter.restBytes > MAX_REPLY_BYTES)
      throw providerBrokeOff(`It sent an event of more than ${MAX_REPLY_BYTES} bytes`, { why: "odd_answer" });
    this.#used.checkpoint();
    this.#isComplete = this.#isCutShort || last !== null || this.#hasAll;
    if (size > 0) this.#longEventShare?.rest();
    return size;
  }

  /** Whether the answer is whole and its usage has come: nothing more is needed. */
  get #hasAll(): boolean {
    const { meter } = this.#used;
    return meter.isFinished && meter.isReportedLast && this.#form.hasUsage;
  }

  /** The failure of a stream that ended too early. What it sent in place of a chunk may tell the reason. */
  #explainEnd(cause: string): Refusal {
    const event = this.#skippedEvent ?? Buffer.alloc(0);
    return readEventRefusal(event, this.#connection.client, cause);
  }

  release(): void {
    this.#longEventShare?.release();
    this.reply.share?.release();
  }

  finish(): Buffer {
    if (this.#isCutShort) this.#connection.close();
    else void this.#connection.endBehind(this.reply);
    return this.#form.end({ used: this.#used.resolve(), reported: this.#used.meter.reported });
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
    return this.#form.fail(visibleRefusal);
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

const CHECKPOINT_MS = 5_000;

/** What a stream of events costs: the tokens that it has brought so far. */
class EventUsage {
  readonly meter: StreamMeter;
  /** A time on the monotonic clock. */
  #checkpointAtMs: number;

  /** @param link of the provider that sends the stream; on `isTokenPerEvent` see `StreamMeter`. */
  constructor(
    private readonly hold: HeldCall,
    private readonly link: Pick<ProviderLink, "clock" | "isTokenPerEvent">,
    form: EventForm,
  ) {
    const { request, maxOutputTokens } = hold.admission;
    const { choices } = request;
    this.meter = new StreamMeter(link.isTokenPerEvent, maxOutputTokens * choices, choices, form);
    this.#checkpointAtMs = link.clock.monotonicMs() + CHECKPOINT_MS;
  }

  /** Stores the tokens so far from time to time, so that they are charged if the gateway dies. */
  checkpoint(): void {
    const now = this.link.clock.monotonicMs();
    if (now < this.#checkpointAtMs) return;
    this.#checkpointAtMs = now + CHECKPOINT_MS;
    this.hold.checkpoint(this.meter.completionTokens);
  }

  get costsIfFailed(): boolean {
    return (
      this.meter.hasContent && computeCharge(this.resolve().usage, this.hold.admission.request.price) > ZERO
    );
  }

  /** The reported usage, with at least the output that was counted. */
  resolve(): ResolvedUsage {
    const { request } = this.hold.admission;
    const { reported, counted: output, minCompletionTokens } = this.meter;
    return resolveUsage(reported, { ...describeEvidence(request), output, minCompletionTokens });
  }
}
