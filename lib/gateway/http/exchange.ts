import type { IncomingRequest, RequestHeaders } from "../incoming-request";

/** Determines the client's address from the request's headers and its peer. */
export type FindClientAddress = (headers: RequestHeaders, peer: string | null) => string | null;

/** A request on its way through the gateway. */
export class Exchange {
  #replacementSignal: AbortSignal | null = null;

  /** The model that the path names, which counts instead of the body's; null if the path names none. */
  pathModel: string | null = null;

  /** @param peer the IP address at the other end of the connection; null if there is none. */
  constructor(
    readonly request: IncomingRequest,
    readonly requestId: string,
    private readonly peer: string | null,
    private readonly findAddress: FindClientAddress,
  ) {}

  /** Aborts when the client disconnects, unless the request outlives its client. */
  get clientSignal(): AbortSignal {
    return this.#replacementSignal ?? this.request.signal;
  }

  /** From now on the request ends with `signal`, even if its client disconnects. */
  outliveClient(signal: AbortSignal): void {
    this.#replacementSignal = signal;
  }

  /** Null if it is unknown. */
  address(): string | null {
    return this.findAddress(this.request.headers, this.peer);
  }
}
