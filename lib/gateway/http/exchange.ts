import { type Listener, REST_SECONDS } from "./listener";

/** A request on its way through the gateway. Its connection has no timeout until the reply has been made. */
export class Exchange {
  #isStreaming = false;

  /** @param addressOf who asks, by the request's headers and the address at the other end. */
  constructor(
    readonly request: Request,
    readonly requestId: string,
    private readonly listener: Listener,
    private readonly addressOf: (headers: Headers, peer: string | null) => string | null,
  ) {
    // The request takes as long as it takes.
    listener.timeout(request, 0);
  }

  /** Aborts when the client goes away. */
  get clientSignal(): AbortSignal {
    return this.request.signal;
  }

  /** Null where nobody knows. */
  address(): string | null {
    return this.addressOf(this.request.headers, this.listener.requestIP(this.request)?.address ?? null);
  }

  /** The reply is a stream, which says itself when it ends. */
  streamBegins(): void {
    this.#isStreaming = true;
  }

  streamEnds(): void {
    this.#isStreaming = false;
    this.replyMade();
  }

  /** What has been made is to be taken, or another request to be sent, before long. */
  replyMade(): void {
    if (!this.#isStreaming) this.listener.timeout(this.request, REST_SECONDS);
  }
}
