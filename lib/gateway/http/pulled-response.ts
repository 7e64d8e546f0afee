import { type PlainInit, PlainResponse } from "./plain-response";

/** Receives a body. The web API's controller of a stream is one, too. */
export interface ReplySink {
  enqueue(bytes: Uint8Array): void;
  close(): void;
  /** Breaks the reply off, so that its client can't take it for a whole one. Leave out a reason that was logged. */
  error(reason?: unknown): void;
}

/** A body that is made while it is sent. */
export interface ReplySource {
  /** Passes on some bytes, or the end. Called again once the client can take more. */
  pull(sink: ReplySink): void | Promise<void>;
  /** The client has left. */
  cancel(): void | Promise<void>;
}

/** A reply that its source writes to the connection directly: a web stream costs two promises for each chunk. */
export class PulledResponse extends PlainResponse {
  constructor(
    readonly source: ReplySource,
    init: PlainInit,
  ) {
    super(init);
  }

  protected override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { source } = this;
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull: (controller) => source.pull(controller as ReplySink),
        cancel: () => source.cancel(),
      },
      { highWaterMark: 0 },
    );
  }
}
