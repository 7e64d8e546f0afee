import type { Socket } from "bun";

/** What is written together is copied to one place. Longer writes go one after another. */
const SCRATCH_BYTES = 64 * 1024;
const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
const NONE = new Uint8Array(0);

/** The outlet whose writes are being gathered in `scratch`, and how many bytes they are so far. */
let gathering: Outlet | null = null;
let gatheredBytes = 0;

/**
 * The sending half of a connection. It keeps what the system does not take yet, so look at `isFull` before writing
 * more.
 */
export class Outlet {
  #unsent: Uint8Array[] = [];
  #onDrained: (() => void) | null = null;
  /** Whether the system has taken something since the last look. */
  #hasMoved = false;
  #stuckSeconds = 0;

  constructor(private readonly socket: Pick<Socket<unknown>, "write">) {}

  /** Whether the client has to read before more can be sent. */
  get isFull(): boolean {
    return this.#unsent.length > 0;
  }

  /** Sends everything that `work` writes before it returns with one system call, if it is short. */
  together<Result>(work: () => Result): Result {
    Outlet.#gatherFor(this);
    try {
      return work();
    } finally {
      if (gathering === this) Outlet.#sendGathered();
    }
  }

  /** Writes text of Latin-1 characters, and the bytes and the text behind it. */
  write(text: string, bytes: Uint8Array = NONE, textBehind = ""): void {
    const size = text.length + bytes.byteLength + textBehind.length;
    if (gathering !== this || gatheredBytes + size > SCRATCH_BYTES) Outlet.#sendGathered();
    if (size > SCRATCH_BYTES) return this.#writeLong(text, bytes, textBehind);
    let end = gatheredBytes;
    if (text !== "") end += scratch.write(text, end, "latin1");
    if (bytes.byteLength > 0) {
      scratch.set(bytes, end);
      end += bytes.byteLength;
    }
    if (textBehind !== "") end += scratch.write(textBehind, end, "latin1");
    if (gathering === this) gatheredBytes = end;
    else this.#send(scratch, end, true);
  }

  /** Resolves once everything was taken, or the connection is closed. */
  waitForDrain(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onDrained = resolve;
    return promise;
  }

  /** The system can take more. */
  flush(): void {
    while (this.#unsent.length > 0) {
      const next = this.#unsent[0] as Uint8Array;
      const sentBytes = this.#take(next, next.byteLength);
      if (sentBytes < next.byteLength) {
        this.#unsent[0] = next.subarray(sentBytes);
        return;
      }
      this.#unsent.shift();
    }
    this.#release();
  }

  /** Call it once a second. @returns for how many calls in a row the system has taken none of the pending output. */
  countStuckSeconds(): number {
    this.#stuckSeconds = this.isFull && !this.#hasMoved ? this.#stuckSeconds + 1 : 0;
    this.#hasMoved = false;
    return this.#stuckSeconds;
  }

  /** Ends the connection's output: nothing more can be sent. */
  close(): void {
    this.#unsent = [];
    this.#release();
  }

  static #gatherFor(outlet: Outlet): void {
    Outlet.#sendGathered();
    gathering = outlet;
  }

  static #sendGathered(): void {
    const [outlet, size] = [gathering, gatheredBytes];
    gathering = null;
    gatheredBytes = 0;
    if (outlet && size > 0) outlet.#send(scratch, size, true);
  }

  #writeLong(text: string, bytes: Uint8Array, textBehind: string): void {
    for (const part of [Buffer.from(text, "latin1"), bytes, Buffer.from(textBehind, "latin1")])
      if (part.byteLength > 0) this.#send(part, part.byteLength, false);
  }

  /** @param isShared whether others will overwrite the bytes. */
  #send(bytes: Uint8Array, size: number, isShared: boolean): void {
    const sentBytes = this.isFull ? 0 : this.#take(bytes, size);
    if (sentBytes === size) return;
    const remainder = bytes.subarray(sentBytes, size);
    this.#unsent.push(isShared ? new Uint8Array(remainder) : remainder);
  }

  #take(bytes: Uint8Array, size: number): number {
    const sentBytes = Math.max(0, this.socket.write(bytes, 0, size));
    if (sentBytes > 0) this.#hasMoved = true;
    return sentBytes;
  }

  #release(): void {
    this.#onDrained?.();
    this.#onDrained = null;
  }
}
