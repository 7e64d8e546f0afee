import { plainAddress } from "@/lib/client-address/trusted-proxies";
import type { RequestHeaders } from "../request-headers";
import { StreamedResponse } from "./response";

/** How long a connection may rest, and its client not read; load balancers usually wait for a minute. */
const REST_SECONDS = 75;
/** How long a client is read on whose upload was refused. Closing at once would take the refusal from it. */
const DISCARD_SECONDS = 10;
const NO_LIMIT = 0;

interface ServerOptions {
  readonly hostname: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly answer: (request: Request, findPeer: FindPeer) => Promise<Response>;
  readonly logFault: (where: string, error: unknown) => void;
}

export type HttpServer = Bun.Server<undefined>;

/** Starts the gateway's server. @throws Error with the code EADDRINUSE if another program listens on the port. */
export function startServer({ hostname, port, answer, logFault }: ServerOptions): HttpServer {
  return Bun.serve({
    hostname,
    port,
    idleTimeout: REST_SECONDS,
    // Whoever reads a body bounds it, and says so in the form of the API.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Without this, a second gateway outside of development would share the port and its calls.
    reusePort: false,
    async fetch(request, server) {
      // A body has limits where it is read, and a call those of its provider.
      server.timeout(request, NO_LIMIT);
      const response = await answer(request, () => readPeer(server, request));
      server.timeout(request, response.status === 413 ? DISCARD_SECONDS : REST_SECONDS);
      if (response instanceof StreamedResponse)
        response.onWait = (isForClient) => server.timeout(request, isForClient ? REST_SECONDS : NO_LIMIT);
      return response;
    },
    error(fault) {
      logFault("connection", fault);
      return new Response(null, { status: 500 });
    },
  });
}

function readPeer(server: HttpServer, request: Request): string | null {
  const address = server.requestIP(request)?.address;
  return address === undefined ? null : (plainAddress(address) ?? address);
}

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
