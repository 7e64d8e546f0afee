import type { Socket } from "bun";
import { ReplyParser } from "./reply-parser";
import type { Http1Request } from "./sent-request";

/** The connection went away under a request. By its code callers know that, and whether a word of the reply had come. */
export class ConnectionLost extends Error {
  constructor(readonly code: "ECONNRESET" | "ConnectionClosed") {
    super(
      code === "ECONNRESET"
        ? "The connection was closed before a reply came"
        : "The connection was closed before the reply was complete",
    );
  }
}

/** What keeps connections. */
interface Keeper {
  /** Its peer has closed it instead of answering another request: those that rest may be closed as well. */
  distrustIdle(): void;
  /** It has nothing to do. */
  free(connection: Connection): void;
  forget(connection: Connection): void;
}

/** Unless its peer says less. Shorter than what most servers and load balancers wait. */
const MOST_IDLE_MS = 30_000;
/** What a peer says of its patience is on its own clock, and a request takes its time to get there. */
const MARGIN_MS = 1_000;

/** A connection to a provider: one request after the other, one at a time. */
export class Connection {
  #request: Http1Request | null = null;
  #parser: ReplyParser | null = null;
  #unsent: Uint8Array | null = null;
  #isKept = true;
  #isPaused = false;
  isOpen = true;
  hasReplied = false;
  /** Until when it may be used again, on the clock of `performance.now()`. */
  idleUntilMs = 0;

  constructor(
    private readonly socket: Socket<unknown>,
    private readonly keeper: Keeper,
  ) {}

  /** @returns false where it is gone already, and nothing was sent. */
  send(request: Http1Request): boolean {
    if (!this.isOpen) return false;
    const sent = this.socket.write(request.text);
    if (sent < 0) {
      this.destroy();
      return false;
    }
    this.#request = request;
    this.#parser = new ReplyParser(request);
    request.connection = this;
    if (sent < request.textBytes || request.body) this.#sendRest(request, sent);
    return true;
  }

  #sendRest({ text, body }: Http1Request, sent: number): void {
    const rest = Buffer.from(text).subarray(sent);
    this.#unsent = body ? Buffer.concat([rest, body]) : rest;
    this.drained();
  }

  /** There is room for more of the request. */
  drained(): void {
    if (this.#unsent === null) return;
    const sent = Math.max(0, this.socket.write(this.#unsent));
    this.#unsent = sent < this.#unsent.length ? this.#unsent.subarray(sent) : null;
  }

  received(bytes: Buffer<ArrayBuffer>): void {
    const request = this.#request;
    const parser = this.#parser;
    // Nobody asked.
    if (request === null || parser === null) return this.destroy();
    try {
      const used = parser.push(bytes);
      if (!parser.isOver) return;
      // What stands behind the reply would be the next one's beginning.
      if (used < bytes.length) this.#isKept = false;
    } catch (error) {
      request.fail(error);
      return this.destroy();
    }
    this.#replied(request);
  }

  #replied(request: Http1Request): void {
    request.connection = null;
    this.#request = null;
    this.#parser = null;
    // A server that answers before it has read everything may read the rest as another request.
    if (!this.#isKept || !request.isKept || this.#unsent !== null) return this.destroy();
    this.resume();
    this.hasReplied = true;
    this.idleUntilMs = performance.now() + Math.min(MOST_IDLE_MS, request.keptMs - MARGIN_MS);
    this.keeper.free(this);
  }

  /** The peer has closed it, or the network. */
  closed(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.keeper.forget(this);
    const request = this.#request;
    const parser = this.#parser;
    this.#request = null;
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
    this.closed();
    this.socket.terminate();
  }
}
