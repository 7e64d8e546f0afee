import { formatEvent } from "../../http/event-splitter";
import type { ServerReply } from "../../http/outbound/server-reply";
import { refusalBody } from "../../http/refuse";
import type { ProviderConnection } from "../../providers/provider-connection";
import { providerFailed, readEventRefusal } from "../../providers/provider-failure";
import type { Refusal } from "../../refusal";
import type { OpenHold } from "../holds/open-hold";
import { StreamErrorFinder } from "../replies/stream-error-finder";
import { TranscriptMeter } from "../replies/transcript-meter";
import type { ResolvedUsage } from "../usage/resolve-usage";
import type { ReplyClient } from "./reply-client";
import type { StreamedReply } from "./streamed-reply";

const AUDIO = /^(audio\/|application\/octet-stream\b|application\/ogg\b)/i;
const EVENTS = /^text\/event-stream\b/i;

/** The call whose reply is forwarded. */
interface BytesCall {
  readonly client: ReplyClient;
  readonly connection: ProviderConnection;
  readonly hold: OpenHold;
}

/** What reads a reply on the side. */
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
    return readEventRefusal(errorEvent, this.call.connection.link.client);
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
  const failure = connection.describeFailure(typeof cause === "string" ? providerFailed(cause) : cause);
  connection.noteFailure(failure);
  return failure;
}
