import type { BodyPieceReader } from "../../incoming-request";
import { ChunkReader } from "./chunk-reader";

/** The amount of unread data at which the connection is paused. Pieces of one byte take more memory than that. */
const MAX_UNREAD_BYTES = 64 * 1024;
const MAX_UNREAD_PIECES = 256;

/** The connection that a body arrives on. */
export interface Carrier {
  /** Sends `100 Continue`, unless the reply has begun. */
  askForBody(): void;
  pause(): void;
  resume(): void;
}

type Piece = { done: boolean; value?: Uint8Array<ArrayBuffer> | undefined };

interface PendingRead {
  resolve(piece: Piece): void;
  reject(error: Error): void;
}

const LAST: Piece = { done: true };

/** A body that did not arrive together with its head. What nobody reads yet pauses the connection. */
export class ReceivedBody implements BodyPieceReader {
  readonly #chunks: ChunkReader | null;
  /** Bytes left of a body whose length is known. */
  #bytesLeft: number;
  #unread: Uint8Array<ArrayBuffer>[] = [];
  #unreadBytes = 0;
  #pendingRead: PendingRead | null = null;
  #failure: Error | null = null;
  #isDiscarded = false;

  constructor(
    framing: number | "chunked",
    private readonly carrier: Carrier,
    /** Whether the client waits for `100 Continue` before it sends the body. */
    public isAwaited: boolean,
  ) {
    this.#bytesLeft = framing === "chunked" ? 0 : framing;
    this.#chunks =
      framing === "chunked"
        ? new ChunkReader((bytes) => this.#take(viewBytes(bytes, 0, bytes.length)))
        : null;
  }

  /** Whether all of it has arrived. */
  get isOver(): boolean {
    return this.#chunks ? this.#chunks.isOver : this.#bytesLeft === 0;
  }

  /** The bytes that are still to come; null if that is unknown. */
  get left(): number | null {
    return this.#chunks ? null : this.#bytesLeft;
  }

  /**
   * @param bytes belong to the body from here on, up to the returned offset.
   * @throws Refusal 400 for malformed chunks.
   */
  push(bytes: Buffer<ArrayBuffer>, from: number): number {
    if (from < bytes.length) this.isAwaited = false;
    const end = this.#chunks ? this.#chunks.read(bytes, from) : this.#readPart(bytes, from);
    if (this.isOver) this.#answer(LAST);
    else if (this.#unreadBytes > MAX_UNREAD_BYTES || this.#unread.length > MAX_UNREAD_PIECES)
      this.carrier.pause();
    return end;
  }

  /** The body breaks off here. What has arrived can still be read. */
  fail(error: Error): void {
    if (this.isOver) return;
    this.#failure ??= error;
    this.#pendingRead?.reject(error);
    this.#pendingRead = null;
  }

  getReader(): BodyPieceReader {
    return this;
  }

  read(): Promise<Piece> {
    if (this.isAwaited) {
      this.isAwaited = false;
      this.carrier.askForBody();
    }
    const value = this.#unread.shift();
    if (value) {
      this.#unreadBytes -= value.byteLength;
      if (this.#unread.length === 0) this.carrier.resume();
      return Promise.resolve({ done: false, value });
    }
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.isOver) return Promise.resolve(LAST);
    return new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject };
    });
  }

  cancel(): Promise<void> {
    this.discard();
    return Promise.resolve();
  }

  /** Nobody reads what is left. It is taken from the connection all the same, up to its end. */
  discard(): void {
    this.#isDiscarded = true;
    this.#unread = [];
    this.#unreadBytes = 0;
    this.#answer(LAST);
    this.carrier.resume();
  }

  #readPart(bytes: Buffer<ArrayBuffer>, from: number): number {
    const end = Math.min(bytes.length, from + this.#bytesLeft);
    this.#bytesLeft -= end - from;
    if (end > from) this.#take(viewBytes(bytes, from, end));
    return end;
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#isDiscarded) return;
    if (this.#pendingRead) return this.#answer({ done: false, value: bytes });
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.byteLength;
  }

  #answer(piece: Piece): void {
    const pendingRead = this.#pendingRead;
    if (pendingRead === null) return;
    this.#pendingRead = null;
    pendingRead.resolve(piece);
  }
}

/** A part as a plain array: those who read bodies copy with `slice`, which of a `Buffer` is a view. */
export function viewBytes(bytes: Buffer<ArrayBuffer>, from: number, end: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, end - from);
}
