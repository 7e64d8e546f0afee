import type { RequestOutcome } from "../../balance/funds";
import type { ReplySink } from "../../http/pulled-response";
import type { ProviderReply } from "../../providers/provider-client";
import { BinaryReplyRecorder } from "../replies/binary-reply-recorder";
import type { TranscriptMeter } from "../replies/transcript-meter";
import type { AdmittedCall, AnswerContext } from "./admitted-call";

const nobody: ReplySink = { enqueue: () => {}, close: () => {}, error: () => {} };

/**
 * Forwards the bytes of one reply to its client, and settles its call. A call priced by its input is charged in full once
 * its client has received a part of the reply, and a transcript priced by tokens for what the meter has read. A reply that
 * the provider breaks off isn't charged.
 */
export class ByteRelay {
  #next: Uint8Array | null;
  #isReading = false;
  #isGone = false;
  #isOver = false;
  #sink: ReplySink = nobody;
  #kept: BinaryReplyRecorder | null = null;

  constructor(
    first: Uint8Array,
    private readonly from: {
      readonly reply: ProviderReply;
      readonly contentType: string;
      readonly meter: TranscriptMeter | null;
    },
    private readonly call: AdmittedCall,
    private readonly context: Pick<AnswerContext, "logFault">,
  ) {
    this.#next = first;
    // While nothing is being read, the client causes the delay, not the provider.
    call.connection.setCutListener(() => {
      if (!this.#isReading) void this.#breakOff(new Error("The client stopped reading"), this.#sink);
    });
  }

  /** Collects the bytes for repeats, and keeps reading after the client is gone. */
  outliveClient(clientSignal: AbortSignal): void {
    this.#kept = new BinaryReplyRecorder();
    const cancel = () => void this.cancel();
    if (clientSignal.aborted) cancel();
    else clientSignal.addEventListener("abort", cancel, { once: true });
  }

  /** Ends the stream of a caller who lost access: stops the provider, and charges the call. */
  endAccess(): void {
    this.call.connection.cut("access ended");
  }

  async pull(sink: ReplySink): Promise<void> {
    if (this.#isOver) return;
    this.#sink = sink;
    this.#isReading = true;
    try {
      do {
        const piece = this.#next ?? (await this.from.reply.read());
        this.#next = null;
        if (piece === null) return await this.#finish(sink);
        this.call.connection.progress();
        this.#kept?.add(piece);
        this.from.meter?.add(piece);
        if (!this.#isGone) sink.enqueue(piece);
      } while (this.#isGone && !this.#isOver);
    } catch (error) {
      await this.#breakOff(error, sink);
    } finally {
      this.#isReading = false;
    }
  }

  /** The client is gone. */
  async cancel(): Promise<void> {
    if (this.#isGone) return;
    this.#isGone = true;
    if (this.#kept) {
      if (!this.#isReading) void this.pull(nobody);
      return;
    }
    this.call.connection.cut("client gone");
    await this.#settle("client_gone", 499).catch(() => {});
  }

  async #finish(sink: ReplySink): Promise<void> {
    this.call.connection.noteSuccess();
    this.call.connection.end();
    await this.#settle("completed", 200, this.#kept?.toStored(this.from.contentType));
    this.#close(() => sink.close());
  }

  async #breakOff(error: unknown, sink: ReplySink): Promise<void> {
    const { connection, hold } = this.call;
    const isClients = connection.cutoff !== null && (connection.cutoff !== "too slow" || !this.#isReading);
    const failure = connection.describeFailure(error);
    if (!isClients) connection.noteFailure(failure);
    connection.close();
    if (failure.cause && !isClients) this.context.logFault(hold.requestId, failure.cause);
    try {
      if (isClients) await this.#settle("client_gone", connection.cutoff === "access ended" ? 401 : 499);
      else await hold.release({ outcome: "provider_failed", status: failure.status });
    } catch {
      // The charge or the release is retried in the background.
    }
    // A file can't contain an error message, so the client sees a reply that is cut short.
    this.#close(() => sink.error(failure));
  }

  #close(close: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.call.incoming.capture?.end();
    if (!this.#isGone) close();
  }

  async #settle(outcome: RequestOutcome, status: number, reply?: string): Promise<void> {
    const { request } = this.call.hold.admission;
    const byInput = { promptTokens: 0, completionTokens: 0, units: request.units };
    const { usage, basis } = this.from.meter?.usage(request) ?? { usage: byInput, basis: "reported" };
    await this.call.hold.settle(usage, basis, { outcome, status }, reply);
  }
}
