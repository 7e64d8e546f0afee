import type { Socket } from "bun";
import type { ConnectionServer } from "./connection-server";
import { cutWithinHead, Intake, type ReadRequest } from "./intake";
import { Linger } from "./linger";
import { headTooSlow } from "./malformed-request";
import { Outlet } from "./outlet";
import { writeHead } from "./reply-head";
import { discard } from "./reply-source";
import { ReplyWriter } from "./reply-writer";
import { ServerRequest } from "./server-request";

/**
 * How long a client has to send a connection's first head, each further head from its first byte on, and what remains
 * of a body.
 */
const HEAD_SECONDS = 10;
/**
 * How long a connection may rest between requests, or its client not read; load balancers usually wait for a minute.
 */
const REST_SECONDS = 75;
/** The rest of a body that nobody read is received up to this size, so that its connection can be kept. */
const MAX_DISCARDED_BYTES = 256 * 1024;

const UNREADABLE_REQUEST = { method: "GET", isHttp11: true };

/** A client's connection. It answers one request at a time, in the order in which they came. */
export class Connection {
  readonly #outlet: Outlet;
  readonly #intake = new Intake(this);
  readonly #replies: ReplyWriter;
  #request: ServerRequest | null = null;
  #isPaused = false;
  /** Whether the client has ended its half of the connection. */
  #hasEnded = false;
  /** Set once the gateway has ended its half of the connection. */
  #linger: Linger | null = null;
  #isOpen = true;
  #deadline: number;
  /** Since when no request is under way. */
  restingSince: number | null;

  constructor(
    private readonly socket: Socket<unknown>,
    private readonly server: ConnectionServer,
    readonly peer: string,
  ) {
    this.#outlet = new Outlet(socket);
    this.#replies = new ReplyWriter(this.#outlet, this);
    this.restingSince = server.seconds;
    this.#deadline = server.seconds + HEAD_SECONDS;
  }

  onBytes(bytes: Buffer<ArrayBuffer>): void {
    if (this.#linger) return this.#linger.discard(bytes.length);
    try {
      this.#intake.receive(bytes);
    } catch (error) {
      return this.#refuse(error);
    }
    if (this.#request === null) this.#readNext();
    else if (this.#intake.isFull) this.pause();
  }

  /** The client has ended its half. It may still read, so it gets what it asked for. */
  onEnd(): void {
    this.#hasEnded = true;
    if (this.#linger) return this.end();
    this.#breakOffBody();
    if (this.#request) this.#replies.probe(this.#request.headers.isHttp11);
    else if (this.#intake.hasMore) this.#refuse(cutWithinHead());
    else this.end();
  }

  onDrain(): void {
    this.#outlet.flush();
  }

  /** The connection is gone. */
  onClose(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#outlet.close();
    this.#intake.body?.fail(new Error("The client has left"));
    this.#request?.leave();
    this.#replies.leave();
    this.server.forget(this);
  }

  /** Called about once a second. */
  sweep(): void {
    if (this.#outlet.isFull) this.#outlet.flush();
    if (this.#outlet.countStuckSeconds() >= REST_SECONDS) return this.destroy();
    if (this.#linger?.isOver(this.server.seconds)) return this.destroy();
    if (this.#linger || this.server.seconds < this.#deadline) return;
    if (this.#intake.body) this.destroy();
    else if (this.#intake.hasMore) this.#refuse(headTooSlow());
    else this.end();
  }

  /** Closes a connection without a request under way. */
  end(): void {
    if (!this.#isOpen) return;
    this.#linger = new Linger(this.server.seconds, true);
    this.socket.end();
  }

  destroy(): void {
    this.onClose();
    this.socket.terminate();
  }

  askForBody(): void {
    if (this.#isOpen) this.#replies.askForBody();
  }

  pause(): void {
    if (this.#isPaused || !this.#isOpen) return;
    this.#isPaused = true;
    this.socket.pause();
  }

  resume(): void {
    if (!this.#isPaused || !this.#isOpen || (this.#request && this.#intake.isFull)) return;
    this.#isPaused = false;
    this.socket.resume();
  }

  /** The reply was sent, and the next request may begin. */
  onSent(isPersistent: boolean): void {
    if (!this.#isOpen) return;
    this.#request = null;
    this.restingSince = this.server.seconds;
    const { body } = this.#intake;
    if (!isPersistent || this.server.isStopping || (this.#hasEnded && !this.#intake.hasMore))
      return this.#endHalf();
    this.#deadline = this.server.seconds + (body ? HEAD_SECONDS : REST_SECONDS);
    body?.discard();
    if (this.#intake.hasMore) this.#readNext();
    this.resume();
  }

  onBrokenOff(fault: unknown): void {
    if (fault !== undefined) this.server.logFault(fault);
    this.destroy();
  }

  /** Begins the next request, if it is there. */
  #readNext(): void {
    let next: ReadRequest | null;
    try {
      next = this.#intake.next();
      if (next === null && this.#hasEnded && this.#intake.hasMore) throw cutWithinHead();
    } catch (error) {
      return this.#refuse(error);
    }
    if (next) this.#begin(next);
    else if (this.#hasEnded) this.end();
    else if (this.#intake.hasMore)
      this.#deadline = Math.min(this.#deadline, this.server.seconds + HEAD_SECONDS);
  }

  #begin({ head, framing, received: firstBytes, body }: ReadRequest): void {
    const request = new ServerRequest(head, framing, firstBytes, body);
    this.#request = request;
    this.#replies.expectReply();
    this.#deadline = Number.POSITIVE_INFINITY;
    this.restingSince = null;
    if (this.#hasEnded) this.#breakOffBody();
    this.server.answer(request, this.peer).then(
      (response) => this.#answer(request, response),
      (error: unknown) => this.#fail(error),
    );
  }

  #breakOffBody(): void {
    const { body } = this.#intake;
    if (!body) return;
    this.#intake.stop();
    body.fail(new Error("The body broke off"));
  }

  #answer(request: ServerRequest | null, response: Response): void {
    if (!this.#isOpen) return discard(response);
    try {
      const mayPersist = request !== null && this.#mayPersist(request);
      const head = writeHead(response, request?.headers ?? UNREADABLE_REQUEST, mayPersist);
      this.#replies.send(head, response, this.#hasEnded);
    } catch (error) {
      discard(response);
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.server.logFault(error);
    this.destroy();
  }

  #mayPersist({ framing }: ServerRequest): boolean {
    if (!framing.isPersistent || this.#intake.isStopped || this.server.isStopping) return false;
    if (this.#hasEnded && !this.#intake.hasMore) return false;
    const { body } = this.#intake;
    return body === null || (!body.isAwaited && body.left !== null && body.left <= MAX_DISCARDED_BYTES);
  }

  #endHalf(): void {
    this.#intake.stop();
    if (this.#hasEnded) return this.end();
    this.#linger = new Linger(this.server.seconds, this.server.isStopping);
    this.socket.shutdown();
    this.resume();
  }

  /** Answers what can't be read, and closes the connection. */
  #refuse(fault: unknown): void {
    const { body } = this.#intake;
    this.#intake.stop();
    // The request under way is answered by whoever reads its body.
    if (this.#request) return body?.fail(fault as Error);
    if (body) return this.destroy();
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#answer(null, this.server.refuse(fault));
  }
}
