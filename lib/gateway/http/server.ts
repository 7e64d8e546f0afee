import { plainAddress } from "@/lib/client-address/trusted-proxies";
import type { RequestHeaders } from "../request-headers";
import { StreamedResponse } from "./response";

/** How long a connection may rest, and its client not read; load balancers usually wait for a minute. */
const REST_SECONDS = 75;
/** How long a client is read on whose upload was refused. Closing at once would take the refusal from it. */
const DISCARD_SECONDS = 10;
const NO_LIMIT = 0;
/** How long a WebSocket may be silent, which its own pings end: a client that is there answers them. */
const SILENT_SECONDS = 120;
/** As much as a model is given at once, and twice as much as an event of its answer can have. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;

interface ServerOptions {
  readonly hostname: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly answer: (request: Request, findPeer: FindPeer) => Promise<Response>;
  readonly logFault: (where: string, error: unknown) => void;
}

export type HttpServer = Bun.Server<OpenSocket>;

/** What the server's end of a WebSocket can do. `send` returns -1 where the client has yet to read. */
export type Socket = Pick<Bun.ServerWebSocket<OpenSocket>, "send" | "close">;

/** Follows one WebSocket. */
export interface SocketHandler {
  /** @param answer answers requests that are made in the name of the socket's client. */
  opened(socket: Socket, answer: (request: Request) => Promise<Response>): void;
  received(message: string | Buffer): void;
  /** The client has read what was sent. */
  drained(): void;
  /** It is closed by either end, or was never opened. */
  closed(): void;
}

interface OpenSocket extends Pick<ServerOptions, "answer"> {
  readonly handler: SocketHandler;
  readonly peer: string | null;
}

/** The reply to a request that becomes a WebSocket. */
export class SocketResponse extends Response {
  constructor(readonly handler: SocketHandler) {
    super(null, { status: 101 });
  }
}

/** Starts the gateway's server. @throws Error with the code EADDRINUSE if another program listens on the port. */
export function startServer({ hostname, port, answer, logFault }: ServerOptions): HttpServer {
  return Bun.serve<OpenSocket>({
    hostname,
    port,
    idleTimeout: REST_SECONDS,
    // Whoever reads a body bounds it, and says so in the form of the API.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Without this, a second gateway outside of development would share the port and its calls.
    reusePort: false,
    async fetch(request, server) {
      // The reader bounds a body's time, the provider's deadlines a call's.
      server.timeout(request, NO_LIMIT);
      const response = await answer(request, () => readPeer(server, request));
      if (response instanceof SocketResponse)
        return upgrade(server, request, { handler: response.handler, answer });
      server.timeout(request, response.status === 413 ? DISCARD_SECONDS : REST_SECONDS);
      if (response instanceof StreamedResponse)
        response.onWait = (isForClient) => server.timeout(request, isForClient ? REST_SECONDS : NO_LIMIT);
      return response;
    },
    websocket: {
      idleTimeout: SILENT_SECONDS,
      maxPayloadLength: MAX_FRAME_BYTES,
      backpressureLimit: 2 * MAX_FRAME_BYTES,
      closeOnBackpressureLimit: true,
      open(socket) {
        const { handler, peer, answer: answerFor } = socket.data;
        handler.opened(socket, (request) => answerFor(request, () => peer));
      },
      message: ({ data }, message) => data.handler.received(message),
      drain: ({ data }) => data.handler.drained(),
      close: ({ data }) => data.handler.closed(),
    },
    error(fault) {
      logFault("connection", fault);
      return new Response(null, { status: 500 });
    },
  });
}

/** @returns a reply for what asks for a WebSocket, and can't have one. */
function upgrade(
  server: HttpServer,
  request: Request,
  { handler, answer }: Pick<OpenSocket, "handler" | "answer">,
): Response | undefined {
  if (server.upgrade(request, { data: { handler, answer, peer: readPeer(server, request) } }))
    return undefined;
  handler.closed();
  return new Response("This is no handshake of a WebSocket (RFC 6455).", { status: 400 });
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

  /** Answers the client while the request is still worked on; null where its reply is awaited. */
  answerEarly: ((reply: Response) => void) | null = null;

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
