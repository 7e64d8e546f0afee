import type { Outlet } from "./outlet";
import type { ReplyHead } from "./reply-head";
import { createReplySource, findShortBody } from "./reply-source";
import { SentBody } from "./sent-body";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

interface ReplyListener {
  /** The client's system has taken the whole reply. */
  onSent(isPersistent: boolean): void;
  /** The reply can't be completed. @param fault undefined if it was logged before, or is none. */
  onBrokenOff(fault: unknown): void;
}

/** Sends the replies of one connection, one at a time. */
export class ReplyWriter {
  #hasBegun = false;
  /** The body on its way, unless it was written at once. */
  #body: SentBody | null = null;

  constructor(
    private readonly outlet: Outlet,
    private readonly listener: ReplyListener,
  ) {}

  /** Call it for each request, before its reply. */
  expectReply(): void {
    this.#hasBegun = false;
  }

  /** Sends `100 Continue`, unless the reply has begun. */
  askForBody(): void {
    if (!this.#hasBegun) this.outlet.write(CONTINUE);
  }

  /** @param isProbed whether to learn at once if the client still reads. */
  send({ text, framing, isPersistent }: ReplyHead, response: Response, isProbed: boolean): void {
    this.#hasBegun = true;
    const short = framing === "none" ? null : findShortBody(response);
    if (short) {
      this.outlet.write(text, short);
      return this.#whenTaken(isPersistent);
    }
    const source = createReplySource(response);
    if (framing === "none" || source === null) {
      void source?.cancel();
      this.outlet.write(text);
      return this.#whenTaken(isPersistent);
    }
    const body = new SentBody(this.outlet, source, framing, (isWhole, fault) => {
      this.#body = null;
      if (isWhole) this.listener.onSent(isPersistent);
      else this.listener.onBrokenOff(fault);
    });
    this.#body = body;
    body.start(text);
    if (isProbed) body.probe();
  }

  /** Sends something that clients pass over: one that has left answers it with a reset (RFC 9110, section 15.2). */
  probe(isHttp11: boolean): void {
    if (this.#body) this.#body.probe();
    else if (isHttp11) this.askForBody();
  }

  /** The client has left. */
  leave(): void {
    this.#body?.leave();
  }

  #whenTaken(isPersistent: boolean): void {
    if (this.outlet.isFull) void this.outlet.waitForDrain().then(() => this.listener.onSent(isPersistent));
    else this.listener.onSent(isPersistent);
  }
}
