import type { ReplySink } from "../../http/pulled-response";
import type { BodyCapture } from "../bodies/body-capture";

/** Collects a reply to store it for repeats. */
export interface Recorder {
  add(bytes: Uint8Array): void;
  /** Null for a reply that is too long. */
  readonly text: string | null;
}

/**
 * The client of a reply, and the copies of the reply: for repeats, and for projects that store bodies. Nothing more is
 * sent once the client is gone.
 */
export class ReplyClient {
  #sink: ReplySink | null = null;
  #isGone = false;
  #recorder: Recorder | null = null;

  constructor(
    private readonly capture: BodyCapture | undefined,
    /** Whether the capture gets the reply, besides the request. */
    private readonly capturesReply = true,
  ) {}

  /** Whether it has begun to read. */
  get isConnected(): boolean {
    return this.#sink !== null;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether the reply is stored for repeats. It then outlives its client. */
  get isRecorded(): boolean {
    return this.#recorder !== null;
  }

  /** The stored reply; undefined if it is not stored, or too long. */
  get recording(): string | undefined {
    return this.#recorder?.text ?? undefined;
  }

  /** Stores the reply for repeats. @param onGone is called when the client is gone; the reply is then still read. */
  record(recorder: Recorder, clientSignal: AbortSignal, onGone: () => void): void {
    this.#recorder = recorder;
    if (clientSignal.aborted) onGone();
    else clientSignal.addEventListener("abort", onGone, { once: true });
  }

  connect(sink: ReplySink): void {
    this.#sink = sink;
  }

  leave(): void {
    this.#isGone = true;
  }

  /** Stores bytes, without sending them. */
  store(bytes: Uint8Array): void {
    this.#recorder?.add(bytes);
  }

  forward(bytes: Uint8Array): void {
    this.store(bytes);
    this.#capture(bytes);
    if (!this.#isGone) this.#sink?.enqueue(bytes);
  }

  /** Ends the reply, with last bytes that are not stored for repeats. Call it once the charge is on disk. */
  end(lastBytes?: Uint8Array): void {
    if (lastBytes) this.#capture(lastBytes);
    this.capture?.end();
    if (this.#isGone) return;
    if (lastBytes) this.#sink?.enqueue(lastBytes);
    this.#sink?.close();
  }

  /** Breaks the reply off, so that the client can't take it for a whole one. The reason must be logged before. */
  breakOff(): void {
    this.capture?.end();
    if (!this.#isGone) this.#sink?.error();
  }

  #capture(bytes: Uint8Array): void {
    if (this.capturesReply) this.capture?.addStreamed(bytes);
  }
}
