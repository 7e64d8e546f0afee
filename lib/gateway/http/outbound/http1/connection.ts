import type { Socket } from "bun";
import { decompress, type SentRequest, type ServerReply, type StreamedBody } from "../server-reply";
import { type ReplyEvents, type ReplyHead, ReplyParser } from "./reply-parser";

/** The connection was lost during a request. The code says whether any of the reply had arrived. */
export class ConnectionLost extends Error {
  constructor(readonly code: "ECONNRESET" | "ConnectionClosed") {
    super(
      code === "ECONNRESET"
        ? "The connection was closed before a reply came"
        : "The connection was closed before the reply was complete",
    );
  }
}

/** The owner of a connection. */
interface Keeper {
  /** The peer closed the connection instead of answering another request, so idle connections may be closed too. */
  distrustIdle(): void;
  /** The connection is idle. */
  free(connection: Connection): void;
  forget(connection: Connection): void;
}

/** The maximum idle time, unless the peer announces less. Shorter than that of most servers and load balancers. */
const MAX_IDLE_MS = 30_000;
/** A margin for the peer's announced timeout: it runs on the peer's clock, and a request takes time to arrive. */
const MARGIN_MS = 1_000;

/** A connection to a server, which carries one request at a time. */
export class Connection {
  #request: Http1Request | null = null;
  #parser: ReplyParser | null = null;
  #unsent: Uint8Array | null = null;
  /** Whether the request's body is still being read. */
  #isStreaming = false;
  #onDrained: (() => void) | null = null;
  #isPersistent = true;
  #isPaused = false;
  isOpen = true;
  hasReplied = false;
  /** When its reuse ends, on the clock of `performance.now()`. */
  idleUntilMs = 0;

  constructor(
    private readonly socket: Socket<unknown>,
    private readonly keeper: Keeper,
  ) {}

  /** @returns false if the connection is already gone and nothing was sent. */
  send(request: Http1Request): boolean {
    if (!this.isOpen) return false;
    const sentBytes = this.socket.write(request.text);
    if (sentBytes < 0) {
      this.destroy();
      return false;
    }
    this.#request = request;
    this.#parser = new ReplyParser(request);
    request.connection = this;
    if (sentBytes < request.textBytes || request.body) this.#sendRest(request, sentBytes);
    return true;
  }

  #sendRest(request: Http1Request, sentBytes: number): void {
    const { text, body } = request;
    const remainder = Buffer.from(text).subarray(sentBytes);
    if (body === null || body instanceof Uint8Array)
      return this.#write(body ? Buffer.concat([remainder, body]) : remainder);
    this.#isStreaming = true;
    void this.#stream(request, remainder, body).catch((error: unknown) => {
      if (this.#request !== request) return;
      request.fail(error);
      this.destroy();
    });
  }

  /**
   * Writes a body in pieces, each once the previous one was written. @throws Error if its length differs from the
   * announced one.
   */
  async #stream(request: Http1Request, head: Uint8Array, body: StreamedBody): Promise<void> {
    if (head.length > 0) this.#write(head);
    let bytesLeft = body.bytes;
    for await (const piece of body.read()) {
      await this.#waitForDrain();
      if (this.#request !== request) return;
      bytesLeft -= piece.byteLength;
      if (bytesLeft < 0) break;
      this.#write(piece);
    }
    if (bytesLeft !== 0) throw new Error("The request's body is not as long as announced");
    await this.#waitForDrain();
    if (this.#request === request) this.#isStreaming = false;
  }

  #write(bytes: Uint8Array): void {
    this.#unsent = bytes;
    this.onDrain();
  }

  /** Resolves once everything was written, or the connection's request has ended. */
  async #waitForDrain(): Promise<void> {
    if (this.#unsent === null || this.#request === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onDrained = resolve;
    await promise;
  }

  /** Called when the socket can take more data. */
  onDrain(): void {
    if (this.#unsent === null) return;
    const sentBytes = Math.max(0, this.socket.write(this.#unsent));
    this.#unsent = sentBytes < this.#unsent.length ? this.#unsent.subarray(sentBytes) : null;
    if (this.#unsent === null) this.#onDrained?.();
  }

  onBytes(bytes: Buffer<ArrayBuffer>): void {
    const request = this.#request;
    const parser = this.#parser;
    // Unsolicited data.
    if (request === null || parser === null) return this.destroy();
    try {
      const used = parser.push(bytes);
      if (!parser.isOver) return;
      // Bytes after the reply would be taken as the beginning of the next one.
      if (used < bytes.length) this.#isPersistent = false;
    } catch (error) {
      request.fail(error);
      return this.destroy();
    }
    this.#finishReply(request);
  }

  #finishReply(request: Http1Request): void {
    request.connection = null;
    this.#request = null;
    this.#parser = null;
    this.#onDrained?.();
    // A server that replies before it has read the whole request may read the rest as another request.
    if (!this.#isPersistent || !request.isPersistent || this.#unsent !== null || this.#isStreaming)
      return this.destroy();
    this.resume();
    this.hasReplied = true;
    this.idleUntilMs = performance.now() + Math.min(MAX_IDLE_MS, request.keptMs - MARGIN_MS);
    this.keeper.free(this);
  }

  /** The peer or the network closed the connection. */
  onClose(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.keeper.forget(this);
    const request = this.#request;
    const parser = this.#parser;
    this.#request = null;
    this.#onDrained?.();
    if (request === null || parser === null) return;
    request.connection = null;
    if (parser.close()) return;
    if (this.hasReplied && !parser.hasBegun) this.keeper.distrustIdle();
    request.fail(new ConnectionLost(parser.hasBegun ? "ConnectionClosed" : "ECONNRESET"));
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.socket.resume();
  }

  destroy(): void {
    if (!this.isOpen) return;
    this.onClose();
    this.socket.terminate();
  }
}

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
