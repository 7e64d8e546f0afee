import { once } from "node:events";
import { createServer } from "node:http";
import type { Gatehouse } from "../programs/start-gatehouse";

export type FailingGateway = {
  /** Answers 503 to requests for matching paths; null stops that. Initially nothing fails. */
  fail: (paths: RegExp | null) => void;
  /** Keeps requests for matching paths waiting, until the function that it returns is called. */
  hold: (paths: RegExp) => () => void;
  stop: () => Promise<void>;
};

const unavailable = {
  error: {
    message: "The store can’t be reached. Try again in a moment.",
    type: "service_error",
    code: "store_unavailable",
    param: null,
  },
};

/** Starts a proxy that forwards everything to a gateway, except for paths that are set to fail. */
export async function startFailingGateway(
  port: number,
  { baseUrl }: Pick<Gatehouse, "baseUrl">,
): Promise<FailingGateway> {
  let failing: RegExp | null = null;
  let held: { paths: RegExp; end: Promise<void> } | null = null;
  const server = createServer(async (request, reply) => {
    const { method = "GET", url = "/", headers } = request;
    if (failing?.test(url)) {
      reply.writeHead(503, { "content-type": "application/json", "x-request-id": "req_failing" });
      reply.end(JSON.stringify(unavailable));
      return;
    }
    if (held?.paths.test(url)) await held.end;
    const body = Buffer.concat(await request.toArray());
    const { host: _host, connection: _connection, ...passed } = headers as Record<string, string>;
    const answer = await fetch(new URL(url, baseUrl), {
      method,
      headers: passed,
      ...(body.length > 0 && { body }),
    });
    const type = answer.headers.get("content-type");
    reply.writeHead(answer.status, type ? { "content-type": type } : {});
    reply.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    fail(paths) {
      failing = paths;
    },
    hold(paths) {
      let release = () => {};
      const end = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { paths, end };
      return () => {
        held = null;
        release();
      };
    },
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
