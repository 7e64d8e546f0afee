import { decompress } from "../decompress";
import type { SentRequest, ServerReply, StreamedBody } from "../server-reply";
import type { ReplyHead } from "./reply-head";
import type { ReplyEvents } from "./reply-parser";

/** The amount of unread data at which the connection is paused. One-byte pieces take more memory than that. */
const MAX_UNREAD_BYTES = 64 * 1024;
const MAX_UNREAD_PIECES = 256;

/** The socket that carries a request. */
interface Carrier {
  pause(): void;
  resume(): void;
  destroy(): void;
}

interface PendingRead {
  resolve(bytes: Uint8Array<ArrayBuffer> | null): void;
  reject(error: unknown): void;
}

/** A request and its reply in one object, since every call allocates one. */
export class Http1Request implements SentRequest, ServerReply, ReplyEvents {
  readonly reply: Promise<ServerReply>;
  #answer!: (reply: ServerReply) => void;
  #refuse!: (error: unknown) => void;
  #head: ReplyHead | null = null;
  #unread: Buffer<ArrayBuffer>[] = [];
  #unreadBytes = 0;
  #pendingRead: PendingRead | null = null;
  #isOver = false;
  #failure: unknown = null;
  connection: Carrier | null = null;

  /** @param text the head, and the body if it is text. */
  constructor(
    readonly text: string,
    readonly textBytes: number,
    /** A body that is sent separately from the text. */
    readonly body: Uint8Array<ArrayBuffer> | StreamedBody | null,
    private readonly onCanceled: (request: Http1Request) => void,
  ) {
    this.reply = new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#refuse = reject;
    });
  }

  get status(): number {
    return this.#head?.status ?? 0;
  }

  get contentLength(): number | null {
    return this.#head?.framing === "length" ? this.#head.length : null;
  }

  /** Whether the connection may carry another request, and for how long its peer keeps it open. */
  get isPersistent(): boolean {
    return this.#head?.isPersistent === true;
  }

  get keptMs(): number {
    return this.#head?.keptMs ?? Number.POSITIVE_INFINITY;
  }

  header(name: string): string | null {
    return this.#head?.header(name) ?? null;
  }

  read(): Uint8Array<ArrayBuffer> | null | Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#unreadBytes > 0) return this.#takeUnread();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#isOver) return null;
    return new Promise((resolve, reject) => {
      this.#pendingRead = { resolve, reject };
    });
  }

  #takeUnread(): Uint8Array<ArrayBuffer> {
    const [first] = this.#unread;
    const bytes = this.#unread.length === 1 && first ? first : Buffer.concat(this.#unread);
    this.#unread = [];
    this.#unreadBytes = 0;
    this.connection?.resume();
    return bytes;
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#unread = [];
    this.#unreadBytes = 0;
    this.fail(new Error("The request was canceled"));
    if (this.connection) this.connection.destroy();
    else this.onCanceled(this);
  }

  onHead(head: ReplyHead): void {
    this.#head = head;
    if (head.coding === null) return this.#answer(this);
    try {
      this.#answer(decompress(this));
    } catch (error) {
      this.#refuse(error);
    }
  }

  onPiece(bytes: Buffer<ArrayBuffer>): void {
    if (this.#isOver) return;
    const pendingRead = this.#pendingRead;
    if (pendingRead) {
      this.#pendingRead = null;
      return pendingRead.resolve(bytes);
    }
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.length;
    if (this.#unreadBytes > MAX_UNREAD_BYTES || this.#unread.length > MAX_UNREAD_PIECES)
      this.connection?.pause();
  }

  onEnd(): void {
    this.#isOver = true;
    this.#pendingRead?.resolve(null);
    this.#pendingRead = null;
  }

  /** No more data arrives. Data that has arrived can still be read. */
  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = error;
    this.#refuse(error);
    this.#pendingRead?.reject(error);
    this.#pendingRead = null;
  }
}
