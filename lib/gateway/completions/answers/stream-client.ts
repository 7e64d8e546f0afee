import type { ReplySink } from "../../http/pulled-response";
import { ReplyRecorder } from "../replies/reply-recorder";

export type StreamSink = Pick<ReplySink, "enqueue" | "close">;

/** The client of a stream, and the copy of the stream for repeats. Nothing more is sent once the client is gone. */
export class StreamClient {
  #sink: StreamSink | null = null;
  #isGone = false;
  #recorder: ReplyRecorder | null = null;

  /** Whether it has asked for the stream's first bytes. */
  get isConnected(): boolean {
    return this.#sink !== null;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether the stream is stored for repeats. It then outlives its client. */
  get isRecorded(): boolean {
    return this.#recorder !== null;
  }

  /** The stored stream; undefined if it is not stored, or too long. */
  get recording(): string | undefined {
    return this.#recorder?.text ?? undefined;
  }

  startRecording(): void {
    this.#recorder = new ReplyRecorder();
  }

  connect(sink: StreamSink): void {
    this.#sink = sink;
  }

  leave(): void {
    this.#isGone = true;
  }

  /** Stores bytes, without sending them. */
  record(bytes: Uint8Array): void {
    this.#recorder?.add(bytes);
  }

  forward(bytes: Uint8Array): void {
    this.record(bytes);
    if (!this.#isGone) this.#sink?.enqueue(bytes);
  }

  /** Ends the stream, with a last event that is not stored. */
  end(lastEvent?: Uint8Array): void {
    if (this.#isGone) return;
    if (lastEvent) this.#sink?.enqueue(lastEvent);
    this.#sink?.close();
  }
}
