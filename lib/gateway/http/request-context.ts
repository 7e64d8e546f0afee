import type { RequestHeaders } from "../request-headers";

/** Determines the client's address from the request's headers and its peer. */
export type FindClientAddress = (headers: RequestHeaders, peer: string | null) => string | null;

/** Finds the IP address at the other end of the request's connection; null if there is none. */
export type FindPeer = () => string | null;

/** A request on its way through the gateway. */
export class RequestContext {
  #replacementSignal: AbortSignal | null = null;

  /** The model that the path names, which counts instead of the body's; null if the path names none. */
  pathModel: string | null = null;

  constructor(
    readonly request: Request,
    readonly requestId: string,
    private readonly findPeer: FindPeer,
    private readonly findAddress: FindClientAddress,
  ) {}

  /** The request's URL. Without a valid host, what is there of it belongs to this machine. */
  get url(): URL {
    return new URL(this.request.url, "http://localhost");
  }

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
    return this.findAddress(this.request.headers, this.findPeer());
  }
}
