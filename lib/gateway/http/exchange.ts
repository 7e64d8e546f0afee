import { type Listener, REST_SECONDS } from "./listener";
import type { RequestsUnderWay } from "./requests-under-way";

interface ExchangeServer {
  readonly requestsUnderWay: RequestsUnderWay;
  /** The client's address, by the request's headers and its peer. */
  readonly addressOf: (headers: Headers, peer: string | null) => string | null;
}

/** A request on its way through the gateway. Its connection has no timeout until the reply has been made. */
export class Exchange {
  #isStreaming = false;
  #mayBeStreamed = false;

  constructor(
    readonly request: Request,
    readonly requestId: string,
    readonly listener: Listener,
    private readonly server: ExchangeServer,
  ) {
    // The request takes as long as it takes.
    listener.timeout(request, 0);
    server.requestsUnderWay.enter(this);
  }

  /** Aborts when the client goes away. */
  get clientSignal(): AbortSignal {
    return this.request.signal;
  }

  /** Null where it is not known. */
  address(): string | null {
    return this.server.addressOf(
      this.request.headers,
      this.listener.requestIP(this.request)?.address ?? null,
    );
  }

  /** The reply may go on after it was made, and nobody says until when. */
  mayBeStreamed(): void {
    this.#mayBeStreamed = true;
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
    if (this.#isStreaming) return;
    this.listener.timeout(this.request, REST_SECONDS);
    if (!this.#mayBeStreamed) this.server.requestsUnderWay.leave(this);
  }
}
