import type { Socket } from "bun";
import { HEAD_SECONDS, MAX_DISCARDED_BYTES, REST_SECONDS } from "./connection-limits";
import type { ConnectionServer } from "./connection-server";
import { cutWithinHead, Intake, type ReadRequest } from "./intake";
import { Linger } from "./linger";
import { headTooSlow } from "./malformed-request";
import { Outlet } from "./outlet";
import { type ReplyHead, writeHead } from "./reply-head";
import { createReplySource, discard, findShortBody } from "./reply-source";
import { SentBody } from "./sent-body";
import { ServerRequest } from "./server-request";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const UNREADABLE_REQUEST = { method: "GET", isHttp11: true };

/** A client's connection. It answers one request at a time, in the order in which they came. */
export class Connection {
  readonly #outlet: Outlet;
  readonly #intake = new Intake(this);
  #request: ServerRequest | null = null;
  /** Whether the request under way lets the connection carry another one. */
  #isRequestKept = false;
  #sentBody: SentBody | null = null;
  #hasReplyBegun = false;
  #isPaused = false;
  #hasEnded = false;
  /** The position of the next request is unknown, so nothing more is read. */
  #isBroken = false;
  /** Set once the gateway has ended its half of the connection. */
  #linger: Linger | null = null;
  #isOpen = true;
  #deadline: number;
  #stuckSeconds = 0;
  /** Since when no request is under way. */
  restingSince: number | null;

  constructor(
    private readonly socket: Socket<unknown>,
    private readonly server: ConnectionServer,
    readonly peer: string,
  ) {
    this.#outlet = new Outlet(socket);
    this.restingSince = server.seconds;
    this.#deadline = server.seconds + HEAD_SECONDS;
  }

  onBytes(bytes: Buffer<ArrayBuffer>): void {
    if (this.#linger) return this.#linger.discard(bytes.length);
    if (this.#isBroken) return;
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
    if (this.#request) this.#probe();
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
    this.#sentBody?.leave();
    this.server.forget(this);
  }

  /** Called about once a second. */
  sweep(): void {
    if (this.#outlet.isFull) this.#outlet.flush();
    this.#stuckSeconds = this.#outlet.isStuck() ? this.#stuckSeconds + 1 : 0;
    if (this.#stuckSeconds >= REST_SECONDS) return this.destroy();
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
    if (!this.#hasReplyBegun && this.#isOpen) this.#outlet.write(CONTINUE);
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
    const request = new ServerRequest(head, framing.url, firstBytes, body);
    this.#request = request;
    this.#isRequestKept = framing.isKept;
    this.#hasReplyBegun = false;
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
    this.#isBroken = true;
    this.#intake.clear();
    body.fail(new Error("The body broke off"));
  }

  #answer(request: ServerRequest | null, response: Response): void {
    if (!this.#isOpen) return discard(response);
    try {
      this.#reply(writeHead(response, request?.headers ?? UNREADABLE_REQUEST, this.#mayBeKept()), response);
    } catch (error) {
      discard(response);
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.server.logFault(error);
    this.destroy();
  }

  #mayBeKept(): boolean {
    if (!this.#isRequestKept || this.#isBroken || this.server.isStopping) return false;
    if (this.#hasEnded && !this.#intake.hasMore) return false;
    const { body } = this.#intake;
    return body === null || (!body.isAwaited && body.left !== null && body.left <= MAX_DISCARDED_BYTES);
  }

  #reply({ text, framing, isKept }: ReplyHead, response: Response): void {
    this.#hasReplyBegun = true;
    const short = framing === "none" ? null : findShortBody(response);
    if (short) {
      this.#outlet.write(text, short);
      return this.#whenSent(isKept);
    }
    const source = createReplySource(response);
    if (framing === "none" || source === null) {
      void source?.cancel();
      this.#outlet.write(text);
      return this.#whenSent(isKept);
    }
    const sentBody = new SentBody(this.#outlet, source, framing, (isWhole, fault) => {
      this.#sentBody = null;
      if (fault !== undefined) this.server.logFault(fault);
      if (isWhole) this.#finishReply(isKept);
      else this.destroy();
    });
    this.#sentBody = sentBody;
    sentBody.start(text);
    if (this.#hasEnded) sentBody.probe();
  }

  #whenSent(isKept: boolean): void {
    if (this.#outlet.isFull) void this.#outlet.waitForDrain().then(() => this.#finishReply(isKept));
    else this.#finishReply(isKept);
  }

  #finishReply(isKept: boolean): void {
    if (!this.#isOpen) return;
    this.#request = null;
    this.restingSince = this.server.seconds;
    const { body } = this.#intake;
    if (!isKept || this.server.isStopping || (this.#hasEnded && !this.#intake.hasMore))
      return this.#endHalf();
    this.#deadline = this.server.seconds + (body ? HEAD_SECONDS : REST_SECONDS);
    body?.discard();
    if (this.#intake.hasMore) this.#readNext();
    this.resume();
  }

  #endHalf(): void {
    this.#intake.clear();
    if (this.#hasEnded) return this.end();
    this.#linger = new Linger(this.server.seconds, this.server.isStopping);
    this.socket.shutdown();
    this.resume();
  }

  /** Answers what can't be read, and closes the connection. */
  #refuse(fault: unknown): void {
    const { body } = this.#intake;
    this.#isBroken = true;
    this.#intake.clear();
    // The request under way is answered by whoever reads its body.
    if (this.#request) return body?.fail(fault as Error);
    if (body) return this.destroy();
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#answer(null, this.server.refuse(fault));
  }

  /** Sends something that clients pass over: one that has left answers it with a reset (RFC 9110, section 15.2). */
  #probe(): void {
    if (this.#sentBody) this.#sentBody.probe();
    else if (!this.#hasReplyBegun && this.#request?.headers.isHttp11) this.#outlet.write(CONTINUE);
  }
}
