import { type Listener, REST_SECONDS } from "./listener";
import type { RequestsUnderWay } from "./requests-under-way";

interface ExchangeServer {
  readonly requestsUnderWay: RequestsUnderWay;
  /** Determines the client's address from the request's headers and its peer. */
  readonly addressOf: (headers: Headers, peer: string | null) => string | null;
}

/** A request on its way through the gateway. Its connection has no timeout until the reply is ready. */
export class Exchange {
  #isStreaming = false;
  #mayBeStreamed = false;
  #lasting: AbortSignal | null = null;

  constructor(
    readonly request: Request,
    readonly requestId: string,
    readonly listener: Listener,
    private readonly server: ExchangeServer,
  ) {
    // Disables the timeout while the request is being answered.
    listener.timeout(request, 0);
    server.requestsUnderWay.enter(this);
  }

  /** Aborts when the client disconnects, unless the request outlives its client. */
  get clientSignal(): AbortSignal {
    return this.#lasting ?? this.request.signal;
  }

  /** From now on the request ends with `signal`, even if its client disconnects. */
  outlivesClient(signal: AbortSignal): void {
    this.#lasting = signal;
  }

  /** Null where it is unknown. */
  address(): string | null {
    return this.server.addressOf(
      this.request.headers,
      this.listener.requestIP(this.request)?.address ?? null,
    );
  }

  /** The reply may be a stream of unknown length. */
  mayBeStreamed(): void {
    this.#mayBeStreamed = true;
  }

  /** The reply is a stream, which has no timeout until it ends. */
  streamBegins(): void {
    this.#isStreaming = true;
  }

  streamEnds(): void {
    this.#isStreaming = false;
    this.replyMade();
  }

  /** From now on the idle timeout applies: the client has to read the reply or send another request. */
  replyMade(): void {
    if (this.#isStreaming) return;
    this.listener.timeout(this.request, REST_SECONDS);
    if (!this.#mayBeStreamed) this.server.requestsUnderWay.leave(this);
  }
}
