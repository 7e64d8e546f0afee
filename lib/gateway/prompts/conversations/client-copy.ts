/** A client that leaves so many bytes unread holds the reply up, and loses its copy if it still reads nothing. */
const MAX_UNREAD_BYTES = 8_000_000;
const PATIENCE_MS = 10_000;

/** A client's copy of a reply that is read to its end without the client. */
export class ClientCopy {
  readonly body: ReadableStream<Uint8Array>;
  /** Null once the client has left, or the copy has ended. */
  #client: ReadableStreamDefaultController<Uint8Array> | null = null;
  #endWait: (() => void) | null = null;

  /** @param patienceMs how long the reply waits for a client that reads nothing. */
  constructor(private readonly patienceMs = PATIENCE_MS) {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#client = controller;
        },
        pull: () => this.#endWait?.(),
        cancel: () => {
          this.#client = null;
          this.#endWait?.();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    );
  }

  /** Passes bytes on, and waits while too many are unread. */
  async forward(bytes: Uint8Array): Promise<void> {
    this.#client?.enqueue(bytes);
    if (!this.#isFull()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endWait = resolve;
    const timer = setTimeout(resolve, this.patienceMs);
    await promise;
    clearTimeout(timer);
    this.#endWait = null;
    if (this.#isFull()) this.breakOff();
  }

  /** Ends the copy. `last` is sent before its end. */
  close(last = new Uint8Array()): void {
    if (last.byteLength > 0) this.#client?.enqueue(last);
    this.#client?.close();
    this.#client = null;
    this.#endWait?.();
  }

  /** Ends the copy so that its client can't take it for a whole one. Its reason is logged elsewhere. */
  breakOff(): void {
    this.#client?.error();
    this.#client = null;
    this.#endWait?.();
  }

  #isFull(): boolean {
    return (this.#client?.desiredSize ?? MAX_UNREAD_BYTES) <= 0;
  }
}
