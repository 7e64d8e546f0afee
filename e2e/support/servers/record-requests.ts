interface RecordedRequest {
  /** The requested path, such as `/v1/chat/completions`. */
  readonly path: string;
  /** The request's JSON. */
  readonly body: Record<string, unknown>;
}

export type Proxy = ReturnType<typeof recordRequests>;

/** A server on a free port that records requests and passes them on to a gateway. */
export function recordRequests(gatewayUrl: string) {
  const { origin } = new URL(gatewayUrl);
  const requests: RecordedRequest[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      const text = await request.text();
      requests.push({ path, body: JSON.parse(text) });
      const headers = new Headers(request.headers);
      for (const name of ["host", "connection", "content-length", "accept-encoding"]) headers.delete(name);
      const reply = await fetch(origin + path, { method: request.method, headers, body: text });
      return new Response(reply.body, { status: reply.status, headers: reply.headers });
    },
  });
  return {
    /** Ends in `/v1`. */
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    requests: requests as readonly RecordedRequest[],
    forget: () => void requests.splice(0),
    stop: () => server.stop(true),
  };
}
