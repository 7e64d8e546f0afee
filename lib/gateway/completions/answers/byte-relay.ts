import type { ReplySink } from "../../http/pulled-response";
import type { ServerReply } from "../../outbound/server-reply";
import { BinaryReplyRecorder } from "../replies/binary-reply-recorder";
import type { TranscriptMeter } from "../replies/transcript-meter";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import { ByteCharge } from "./byte-charge";
import { ReplyClient } from "./reply-client";

/** Forwards the bytes of one reply to its client, and settles its call. */
export class ByteRelay {
  #state: "waiting for the client" | "reading" | "ended" = "waiting for the client";
  readonly #client: ReplyClient;
  readonly #charge: ByteCharge;
  /** The bytes that were read before; null once they were forwarded. */
  #first: Uint8Array | null;

  constructor(
    first: Uint8Array,
    private readonly from: {
      readonly reply: ServerReply;
      readonly contentType: string;
      readonly meter: TranscriptMeter | null;
    },
    private readonly call: AdmittedCall,
    private readonly context: Pick<AnswerContext, "logFault">,
  ) {
    this.#first = first;
    const { capture, request } = call.incoming;
    this.#client = new ReplyClient(capture, request.endpoint !== "audio/speech");
    this.#charge = new ByteCharge(call.hold, from.meter);
    // While nothing is being read, the client causes the delay, not the provider.
    call.connection.setCutListener(() => {
      if (!this.#isReading)
        void this.#breakOff(new Error("The client stopped reading"), { wasWaiting: true });
    });
  }

  get #isReading(): boolean {
    return this.#state === "reading";
  }

  /** Collects the bytes for repeats, and keeps reading after the client is gone. */
  outliveClient(clientSignal: AbortSignal): void {
    const recorder = new BinaryReplyRecorder(this.from.contentType);
    this.#client.record(recorder, clientSignal, () => void this.cancel());
  }

  /** Ends the stream of a caller who lost access: stops the provider, and charges the call. */
  endAccess(): void {
    this.call.connection.cut("access ended");
  }

  pull(sink: ReplySink): Promise<void> {
    this.#client.connect(sink);
    return this.#read();
  }

  /** The client is gone: the provider is stopped, and the call is charged. */
  async cancel(): Promise<void> {
    if (this.#client.isGone) return;
    this.#client.leave();
    if (this.#client.isRecorded) {
      if (!this.#isReading) void this.#read();
      return;
    }
    this.call.connection.cut("client gone");
    await this.#charge.settle("client_gone", 499).catch(() => {});
    this.#client.end();
  }

  /** Reads until something was forwarded, or to the end once the client is gone. */
  async #read(): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "reading";
    try {
      do {
        const piece = this.#first ?? (await this.from.reply.read());
        this.#first = null;
        if (piece === null) return await this.#finish();
        this.call.connection.noteProgress();
        this.from.meter?.add(piece);
        this.#client.forward(piece);
      } while (this.#client.isGone && this.#isReading);
    } catch (error) {
      await this.#breakOff(error, { wasWaiting: false });
    } finally {
      if (this.#isReading) this.#state = "waiting for the client";
    }
  }

  async #finish(): Promise<void> {
    this.call.connection.noteSuccess();
    this.call.connection.end();
    await this.#charge.settle("completed", 200, this.#client.recording);
    if (this.#end()) this.#client.end();
  }

  /** @param wasWaiting the client read nothing until the call's deadline, which is no failure of its provider. */
  async #breakOff(error: unknown, { wasWaiting }: { readonly wasWaiting: boolean }): Promise<void> {
    const { connection, hold } = this.call;
    const { cutoff } = connection;
    const isClients = connection.wasEndedByCaller || (cutoff === "too slow" && wasWaiting);
    const failure = connection.describeFailure(error);
    if (!isClients) connection.noteFailure(failure);
    connection.close();
    if (failure.cause && !isClients) this.context.logFault(hold.requestId, failure.cause);
    try {
      if (isClients) await this.#charge.settle("client_gone", cutoff === "access ended" ? 401 : 499);
      else await this.#charge.settleFailed(failure.status);
    } catch {
      // The charge or the release is retried in the background.
    }
    // A file can't contain an error message, so the client sees a reply that is cut short.
    if (this.#end()) this.#client.breakOff();
  }

  /** @returns false if it had ended before. */
  #end(): boolean {
    if (this.#state === "ended") return false;
    this.#state = "ended";
    return true;
  }
}
