import type { ReplySink } from "../../http/pulled-response";
import type { FinalOutcome } from "../../ledger/funds";
import type { ProviderConnection } from "../../providers/provider-connection";
import { afterStreamBegan } from "../../providers/provider-failure";
import { type Refusal, unauthenticated } from "../../refusal";
import type { AdmittedCall, AnswerContext } from "./admitted-call";
import type { Recorder, ReplyClient } from "./reply-client";

/** A reply that is forwarded while it arrives: how its pieces are read, what it costs, and how it ends. */
export interface RelayedReply {
  readonly charge: ReplyCharge;
  /** Whether the whole reply has arrived. */
  readonly isComplete: boolean;
  /** Whether the answer is whole, though the provider may add to it: from then on nothing is its failure. */
  readonly isFinished: boolean;
  /** Null where more may be read now; otherwise resolves once it may. @throws Refusal 503 after too long a wait. */
  makeRoom(): Promise<void> | null;
  /** The next piece; null at the end of the provider's reply. */
  read(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Forwards what can be forwarded of a piece. @returns how many bytes. @throws Refusal if the provider broke off. */
  forward(piece: Uint8Array | null): number | Promise<number>;
  /** Frees the memory of what was read. Called at the end, however it comes. */
  release(): void;
  /**
   * Ends the call to the provider. @returns the last bytes for the client, which are sent once the charge is on disk.
   */
  finish(): Uint8Array | undefined;
  /** The last bytes of a reply that breaks off; null where it can't contain an error. */
  describeFailure(refusal: Refusal): Uint8Array | null;
}

/** What a reply costs. Each promise resolves once it is on disk. */
export interface ReplyCharge {
  /** @param reply is stored for repeats. */
  settle(outcome: FinalOutcome, status: number, reply?: string): Promise<void>;
  /** Whether there is anything that `settleFailed` would charge for. */
  readonly costsIfFailed: boolean;
  /** Charges for what a provider generated before it failed, if anything. */
  settleFailed(status: number): Promise<void>;
}

/** Forwards one reply to its client, at the pace of the client, and settles its call. */
export class ReplyRelay {
  #state: "waiting for the client" | "reading" | "ended" = "waiting for the client";
  readonly #connection: ProviderConnection;

  constructor(
    private readonly reply: RelayedReply,
    private readonly client: ReplyClient,
    private readonly call: Pick<AdmittedCall, "connection" | "hold">,
    private readonly context: Pick<AnswerContext, "logFault">,
  ) {
    this.#connection = call.connection;
  }

  get #isReading(): boolean {
    return this.#state === "reading";
  }

  /** Collects the reply for repeats, and keeps reading after the client is gone. */
  outliveClient(recorder: Recorder, clientSignal: AbortSignal): void {
    this.client.record(recorder, clientSignal, () => void this.cancel());
  }

  /** Ends the reply to a caller who lost access: stops the provider, and charges its output. */
  endAccess(): void {
    this.#connection.cut("access ended");
  }

  /** Called while the client doesn't read. One that reads, or has yet to begin, gets the error where its read fails. */
  readonly #onCut = () => {
    const { cutoff } = this.#connection;
    if (this.#state !== "waiting for the client" || cutoff === "client gone" || cutoff === "unreachable")
      return;
    this.reply.release();
    if (cutoff === "access ended") {
      this.#state = "ended";
      void this.#breakOff(unauthenticated());
    } else if (this.reply.isFinished) void this.#finishInTime();
    else {
      this.#state = "ended";
      void this.#endUnread();
    }
  };

  pull(sink: ReplySink): Promise<void> {
    this.client.connect(sink);
    return this.#read();
  }

  /** The client is gone: the provider is stopped, and its output so far is charged. */
  async cancel(): Promise<void> {
    if (this.client.isGone) return;
    this.client.leave();
    if (this.client.isRecorded) {
      if (this.#state === "waiting for the client") void this.#read();
      return;
    }
    this.#connection.cut("client gone");
    if (!this.#isReading) this.reply.release();
    await this.#settleForClient(499);
    this.client.end();
  }

  /** Reads until something was forwarded, or to the end once the client is gone. */
  async #read(): Promise<void> {
    if (this.#state === "ended") return;
    this.#state = "reading";
    const wasUnread = this.#connection.cutoff === "too slow";
    try {
      for (let forwarded = 0; (forwarded === 0 || this.client.isGone) && this.#isReading; ) {
        const makingRoom = this.reply.makeRoom();
        if (makingRoom) await makingRoom;
        // Every piece passes here, so nothing wraps the read.
        const next = this.reply.read();
        const piece = next instanceof Promise ? await next : next;
        if (piece !== null) this.call.hold.noteFirstByte();
        const forwarding = this.reply.forward(piece);
        forwarded = typeof forwarding === "number" ? forwarding : await forwarding;
        if (this.reply.isComplete) await this.#finish();
      }
    } catch (error) {
      const isWhole = this.#isReading && this.reply.isFinished && !this.#connection.wasEndedByCaller;
      this.#state = "ended";
      if (isWhole) await this.#finishInTime();
      else await this.#breakOff(this.#connection.describeFailure(error), { wasUnread });
    } finally {
      if (this.#isReading) {
        this.#state = "waiting for the client";
        this.#connection.setCutListener(this.#onCut);
      } else this.reply.release();
    }
  }

  async #finish(): Promise<void> {
    this.#state = "ended";
    this.#connection.noteSuccess();
    const end = this.reply.finish();
    if (end) this.client.store(end);
    await this.reply.charge.settle("completed", 200, this.client.recording);
    this.client.end(end);
  }

  /** Ends a whole answer behind which its provider failed or was silent. */
  async #finishInTime(): Promise<void> {
    try {
      await this.#finish();
    } catch (error) {
      await this.#breakOff(this.#connection.describeFailure(error));
    }
  }

  /** The client read nothing until the call's deadline, which is no failure of its provider. */
  async #endUnread(): Promise<void> {
    await this.#settleForClient(499);
    this.client.breakOff();
  }

  /** @param wasUnread the client read on only after the call's deadline, which is no failure of its provider. */
  async #breakOff(failure: Refusal, { wasUnread = false } = {}): Promise<void> {
    const refusal = afterStreamBegan(failure, this.reply.charge.costsIfFailed);
    this.#connection.close();
    if (this.#connection.wasEndedByCaller || wasUnread)
      await this.#settleForClient(this.#connection.cutoff === "access ended" ? 401 : 499);
    else {
      if (failure.cause) this.context.logFault(this.call.hold.requestId, failure.cause);
      this.#connection.noteFailure(refusal);
      await this.reply.charge.settleFailed(refusal.status).catch(() => {});
    }
    const lastBytes = this.#connection.cutoff === "client gone" ? null : this.reply.describeFailure(refusal);
    if (lastBytes) this.client.end(lastBytes);
    else this.client.breakOff();
  }

  /** Charges a call whose client ended it. A charge that fails is retried in the background. */
  async #settleForClient(status: number): Promise<void> {
    await this.reply.charge.settle("client_gone", status).catch(() => {});
  }
}
