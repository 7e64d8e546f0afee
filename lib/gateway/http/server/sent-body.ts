import type { ReplySink, ReplySource } from "../pulled-response";
import type { Outlet } from "./outlet";
import type { ReplyFraming } from "./reply-head";

/** After this many bytes without a pause, other connections are served. */
const TURN_BYTES = 1024 * 1024;

/** A reply's body on its way. Its source makes more only once the client has taken what there is. */
export class SentBody implements ReplySink {
  #bytesLeft: number;
  #turnBytes = 0;
  #isOver = false;
  #isWhole = false;
  /** Whether what is written is still being gathered. */
  #isStarting = true;

  /** @param onEnd is called once, with true after the whole body was taken. */
  constructor(
    private readonly outlet: Outlet,
    private readonly source: ReplySource,
    private readonly framing: ReplyFraming,
    private readonly onEnd: (isWhole: boolean, fault?: unknown) => void,
  ) {
    this.#bytesLeft = typeof framing === "number" ? framing : Number.POSITIVE_INFINITY;
  }

  /** Sends the head together with what there is of the body. */
  start(head: string): void {
    const firstPull = this.outlet.together(() => {
      this.outlet.write(head);
      return this.source.pull(this);
    });
    this.#isStarting = false;
    if (this.#isWhole) this.#end();
    else void this.#goOn(firstPull);
  }

  enqueue(bytes: Uint8Array): void {
    const size = bytes.byteLength;
    if (this.#isOver || size === 0) return;
    this.#bytesLeft -= size;
    this.#turnBytes += size;
    if (this.#bytesLeft < 0) return this.error(new Error("The body is longer than announced"));
    if (this.framing === "chunked") this.outlet.write(`${size.toString(16)}\r\n`, bytes, "\r\n");
    else this.outlet.write("", bytes);
  }

  close(): void {
    if (this.#isOver) return;
    if (typeof this.framing === "number" && this.#bytesLeft > 0)
      return this.error(new Error("The body is shorter than announced"));
    this.#isOver = true;
    this.#isWhole = true;
    if (this.framing === "chunked") this.outlet.write("0\r\n\r\n");
    if (!this.#isStarting) this.#end();
  }

  error(reason?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(false, reason);
  }

  /** The client has left. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void Promise.resolve(this.source.cancel()).catch(() => {});
  }

  /**
   * Sends one byte to learn whether a client that ended its half still reads: the next chunk's size may begin with a
   * zero (RFC 9112, section 7.1).
   */
  probe(): void {
    if (this.framing === "chunked" && !this.#isOver && !this.outlet.isFull) this.outlet.write("0");
  }

  #end(): void {
    if (this.outlet.isFull) void this.outlet.waitForDrain().then(() => this.onEnd(true));
    else this.onEnd(true);
  }

  async #goOn(first: void | Promise<void>): Promise<void> {
    try {
      for (let pull = first; ; pull = this.source.pull(this)) {
        if (pull) await pull;
        if (this.#isOver) return;
        if (this.outlet.isFull) await this.outlet.waitForDrain();
        else if (this.#turnBytes > TURN_BYTES) await new Promise(setImmediate);
        else continue;
        this.#turnBytes = 0;
        if (this.#isOver) return;
      }
    } catch (error) {
      this.leave();
      this.onEnd(false, error);
    }
  }
}
