import { plainAddress } from "@/lib/client-address/trusted-proxies";
import type { FindPeer } from "./request-context";
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
      const response = await answer(request, () => findPeer(server, request));
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

function findPeer(server: HttpServer, request: Request): string | null {
  const address = server.requestIP(request)?.address;
  return address === undefined ? null : (plainAddress(address) ?? address);
}
