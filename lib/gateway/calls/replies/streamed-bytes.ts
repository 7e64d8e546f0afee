import { EventSplitter, formatEvent, MAX_EVENT_BYTES, readEventData } from "../../http/event-splitter";
import { parseBounded } from "../../http/json";
import type { ServerReply } from "../../http/outbound/server-reply";
import { refusalBody } from "../../http/response";
import type { ProviderConnection } from "../../providers/provider-connection";
import { providerAnsweredOddly, readEventRefusal } from "../../providers/provider-failure";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import type { Refusal } from "../../refusal";
import type { HeldCall } from "../holds/held-call";
import type { ReportedFigures } from "../usage/read-usage";
import { computeTranscriptUsage, type ResolvedUsage, readTranscriptTokens } from "../usage/resolve-usage";
import type { ReplyClient, StreamedReply } from "./reply-client";
import { parseEvent } from "./stream-event";

const AUDIO = /^(audio\/|application\/octet-stream\b|application\/ogg\b)/i;
const EVENTS = /^text\/event-stream\b/i;

/** The call whose reply is forwarded. */
interface BytesCall {
  readonly client: ReplyClient;
  readonly connection: ProviderConnection;
  readonly hold: HeldCall;
}

/** A reader of a reply's bytes as they pass. */
interface SideReaders {
  /** Null for a call priced by its input. */
  readonly meter: TranscriptMeter | null;
  /** Null for a reply that is no stream of events. */
  readonly errorFinder: StreamErrorFinder | null;
}

/** A reply whose bytes are forwarded unread, such as speech, or read on the side by a meter. */
export class StreamedBytes implements StreamedReply {
  #isComplete = false;
  #hasErrorEvent = false;

  constructor(
    /** The bytes that were read before; null once they were forwarded. */
    private first: Uint8Array | null,
    private readonly reply: Pick<ServerReply, "read">,
    private readonly readers: SideReaders,
    private readonly call: BytesCall,
  ) {}

  /** A reply that the provider breaks off costs nothing. */
  readonly costsIfFailed = false;
  readonly isChargedIfFailed = false;

  /** Only the end of the reply tells that nothing is missing. */
  readonly isFinished = false;

  get isComplete(): boolean {
    return this.#isComplete;
  }

  makeRoom(): null {
    return null;
  }

  read(): ReturnType<ServerReply["read"]> | Uint8Array {
    const { first } = this;
    this.first = null;
    return first ?? this.reply.read();
  }

  forward(piece: Uint8Array | null): number {
    const { meter, errorFinder } = this.readers;
    if (piece === null) {
      const lastError = errorFinder?.findLast();
      if (lastError) throw this.#fail(lastError);
      this.#isComplete = true;
      return 0;
    }
    this.call.connection.noteProgress();
    const found = errorFinder?.find(piece);
    if (found) {
      if (found.offset > 0) this.call.client.forward(piece.subarray(0, found.offset));
      throw this.#fail(found.event);
    }
    meter?.add(piece);
    this.call.client.forward(piece);
    return piece.byteLength;
  }

  #fail(errorEvent: Buffer): Refusal {
    this.#hasErrorEvent = true;
    return readEventRefusal(errorEvent, this.call.connection.client);
  }

  release(): void {}

  finish(): undefined {
    this.call.connection.end();
  }

  /**
   * Takes the place of the provider's error. A file can't contain one, so its client sees a reply that is cut short.
   */
  describeFailure(visibleRefusal: Refusal): Buffer | null {
    if (!this.#hasErrorEvent) return null;
    return formatEvent(refusalBody(visibleRefusal, this.call.hold.requestId, "openai"));
  }

  /**
   * A call priced by its input is charged in full once its client has received a part of the reply, and a transcript
   * priced by tokens for what the meter has read.
   */
  usage(): ResolvedUsage {
    const { request } = this.call.hold.admission;
    const byInput = { promptTokens: 0, completionTokens: 0, units: request.units };
    return this.readers.meter?.usage(request) ?? { usage: byInput, basis: "reported" };
  }
}

/**
 * Opens a reply of bytes as the provider makes them, such as speech, once its first ones are here.
 * @throws Refusal 502 for a reply of another type, or an empty one.
 */
export async function openStreamedBytes(
  reply: ServerReply,
  call: BytesCall,
): Promise<{ readonly bytes: StreamedBytes; readonly contentType: string }> {
  const { hold } = call;
  const contentType = reply.header("content-type") ?? "application/octet-stream";
  if (!(hold.stream ? EVENTS : AUDIO).test(contentType))
    throw failed(call, `It answered with ${contentType} instead of audio`);
  const first = await readFirstBytes(reply, call);
  const meter = hold.admission.request.holdsWholeOutput ? new TranscriptMeter() : null;
  const errorFinder = hold.stream ? new StreamErrorFinder() : null;
  return { contentType, bytes: new StreamedBytes(first, reply, { meter, errorFinder }, call) };
}

/** The first bytes, so that a reply without any is refused. */
async function readFirstBytes(reply: ServerReply, call: BytesCall): Promise<Uint8Array> {
  let first: Uint8Array | null;
  try {
    first = await reply.read();
  } catch (error) {
    throw failed(call, error);
  }
  if (first === null) throw failed(call, "It answered without a body");
  call.connection.noteStreamBegan();
  call.connection.noteProgress();
  call.hold.noteFirstByte();
  return first;
}

function failed({ connection }: BytesCall, cause: unknown) {
  const failure = connection.describeFailure(
    typeof cause === "string" ? providerAnsweredOddly(cause) : cause,
  );
  connection.noteFailure(failure);
  return failure;
}

/** Reads the tokens that a streamed transcript is charged for, as it passes. */
class TranscriptMeter {
  readonly #splitter = new EventSplitter();
  #deltaBytes = 0;
  #doneBytes = 0;
  #reported: ReportedFigures | null = null;
  #isLost = false;

  add(piece: Uint8Array): void {
    if (this.#isLost) {
      this.#deltaBytes += piece.byteLength;
      return;
    }
    for (const event of this.#splitter.push(piece)) this.#read(event);
    if (this.#splitter.restBytes <= MAX_EVENT_BYTES) return;
    this.#isLost = true;
    this.#deltaBytes += this.#splitter.flush().byteLength;
  }

  /** The usage of what has come so far. The last event may lack its empty line. */
  usage(request: Pick<AdmissionRequest, "promptTokens" | "maxOutputTokens">): ResolvedUsage {
    if (!this.#isLost) this.#read(this.#splitter.flush());
    return computeTranscriptUsage(this.#reported, Math.max(this.#deltaBytes, this.#doneBytes), request);
  }

  #read(event: Buffer): void {
    const data = readEventData(event);
    if (data === null) return;
    const { type, delta, text, usage } = parseOrEmpty(data);
    if (type === "transcript.text.delta") this.#deltaBytes += countTextBytes(delta);
    if (type !== "transcript.text.done") return;
    this.#doneBytes = countTextBytes(text);
    this.#reported = readTranscriptTokens(usage);
  }
}

function countTextBytes(text: unknown): number {
  return typeof text === "string" ? Buffer.byteLength(text) : 0;
}

function parseOrEmpty(data: string): Record<string, unknown> {
  try {
    const value = parseBounded(data);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The longest event that is looked at; one that tells an error is short. */
const MAX_ERROR_BYTES = 64 * 1024;

interface FoundError {
  readonly event: Buffer;
  /** How many bytes of the piece come before the event. */
  readonly offset: number;
}

/** Finds the event by which a stream of speech or of a transcript tells that its provider failed. */
export class StreamErrorFinder {
  readonly #splitter = new EventSplitter();
  #isLost = false;

  /** Looks at the next piece of the stream. */
  find(piece: Uint8Array): FoundError | null {
    if (this.#isLost) return null;
    let offset = -this.#splitter.restBytes;
    for (const event of this.#splitter.push(piece)) {
      if (isError(event)) return { event, offset: Math.max(0, offset) };
      offset += event.byteLength;
    }
    this.#isLost = this.#splitter.restBytes > MAX_EVENT_BYTES;
    if (this.#isLost) this.#splitter.flush();
    return null;
  }

  /** The error at the end of the stream, which may lack its empty line. */
  findLast(): Buffer | null {
    const event = this.#splitter.flush();
    return isError(event) ? event : null;
  }
}

/** An error in any form that a stream of a completion may tell it in, also as `event: error`. */
function isError(event: Buffer): boolean {
  if (event.byteLength > MAX_ERROR_BYTES || !event.includes("error")) return false;
  return parseEvent(event, parseBounded).kind === "error";
}
