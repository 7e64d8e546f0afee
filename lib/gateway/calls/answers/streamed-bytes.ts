import { formatEvent } from "../../http/event-splitter";
import type { ServerReply } from "../../http/outbound/server-reply";
import { refusalBody } from "../../http/refuse";
import { readEventRefusal } from "../../providers/provider-failure";
import type { Refusal } from "../../refusal";
import type { StreamErrorFinder } from "../replies/stream-error-finder";
import type { TranscriptMeter } from "../replies/transcript-meter";
import type { AdmittedCall } from "./admitted-call";
import { ByteCharge } from "./byte-charge";
import type { ReplyClient } from "./reply-client";
import type { RelayedReply } from "./reply-relay";

/** What reads a reply on the side. */
interface SideReaders {
  /** Null for a call priced by its input. */
  readonly meter: TranscriptMeter | null;
  /** Null for a reply that is no stream of events. */
  readonly errorFinder: StreamErrorFinder | null;
}

/** A reply whose bytes are forwarded unread, such as speech, or read on the side by a meter. */
export class StreamedBytes implements RelayedReply {
  readonly charge: ByteCharge;
  #isComplete = false;
  #hasErrorEvent = false;

  constructor(
    /** The bytes that were read before; null once they were forwarded. */
    private first: Uint8Array | null,
    private readonly reply: Pick<ServerReply, "read">,
    private readonly readers: SideReaders,
    private readonly client: ReplyClient,
    private readonly call: Pick<AdmittedCall, "connection" | "hold" | "asCallerSees">,
  ) {
    this.charge = new ByteCharge(call.hold, readers.meter);
  }

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
      if (found.offset > 0) this.client.forward(piece.subarray(0, found.offset));
      throw this.#fail(found.event);
    }
    meter?.add(piece);
    this.client.forward(piece);
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
  describeFailure(refusal: Refusal): Buffer | null {
    if (!this.#hasErrorEvent) return null;
    return formatEvent(refusalBody(this.call.asCallerSees(refusal), this.call.hold.requestId, "openai"));
  }
}
