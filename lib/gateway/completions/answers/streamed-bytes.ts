import type { ServerReply } from "../../outbound/server-reply";
import type { TranscriptMeter } from "../replies/transcript-meter";
import type { AdmittedCall } from "./admitted-call";
import { ByteCharge } from "./byte-charge";
import type { ReplyClient } from "./reply-client";
import type { RelayedReply } from "./reply-relay";

/** A reply whose bytes are forwarded unread, such as speech, or read on the side by a meter. */
export class StreamedBytes implements RelayedReply {
  readonly charge: ByteCharge;
  #isComplete = false;

  constructor(
    /** The bytes that were read before; null once they were forwarded. */
    private first: Uint8Array | null,
    private readonly reply: Pick<ServerReply, "read">,
    /** Null for a call priced by its input. */
    private readonly meter: TranscriptMeter | null,
    private readonly client: ReplyClient,
    private readonly call: Pick<AdmittedCall, "connection" | "hold">,
  ) {
    this.charge = new ByteCharge(call.hold, meter);
  }

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
    if (piece === null) {
      this.#isComplete = true;
      return 0;
    }
    this.call.connection.noteProgress();
    this.meter?.add(piece);
    this.client.forward(piece);
    return piece.byteLength;
  }

  release(): void {}

  finish(): undefined {
    this.call.connection.end();
  }

  /** A file can't contain an error message, so the client sees a reply that is cut short. */
  describeFailure(): null {
    return null;
  }
}
