import { connect, type Socket } from "node:net";
import { readBody } from "../../../testing/read-body";
import { respondWithJson } from "../../known-response";
import { HttpServer, type HttpServerOptions } from "../http-server";

const open: HttpServer[] = [];
/** Stops all servers. */
export async function stopTestServers(): Promise<void> {
  for (const server of open.splice(0)) await server.stop(true);
}

/** A server on a free port, whose clock the test moves. */
export function startTestServer(options: Partial<HttpServerOptions> = {}) {
  let nowMs = 0;
  const faults: unknown[] = [];
  const lines: string[] = [];
  const clock = { nowMs: Date.now, monotonicMs: () => nowMs };
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const server = new HttpServer({
    hostname: "127.0.0.1",
    port: 0,
    maxPerNetwork: 100,
    exempt: [],
    runtime: { clock, random },
    answer: async (request, peer) =>
      respondWithJson({
        peer,
        path: new URL(request.url).pathname,
        bytes: (await readBody(request)).byteLength,
      }),
    log: (line) => lines.push(line),
    logFault: (_where, error) => faults.push(error),
    ...options,
  });
  open.push(server);
  const pass = (seconds: number) => {
    nowMs += seconds * 1_000;
    server.sweep();
  };
  return { server, faults, lines, pass };
}

/** A connection, from another local address if one is given. */
export async function dial({ port }: HttpServer, localAddress?: string) {
  const socket = connect({
    host: "127.0.0.1",
    port,
    allowHalfOpen: true,
    ...(localAddress && { localAddress }),
  });
  let text = "";
  let isClosed = false;
  const changeListeners = new Set<() => void>();
  const change = () => {
    for (const look of changeListeners) look();
  };
  socket.setEncoding("latin1");
  socket.on("data", (piece) => ((text += piece), change()));
  socket.on("error", () => {});
  socket.on("end", () => socket.end());
  socket.on("close", () => ((isClosed = true), change()));
  await new Promise((resolve) => socket.once("connect", resolve));
  const until = (isSo: () => boolean) =>
    new Promise<string>((resolve) => {
      const look = () => isSo() && resolve(text);
      changeListeners.add(look);
      look();
    });
  return {
    socket: socket as Socket,
    send: (requestText: string) =>
      new Promise<void>((resolve) => void socket.write(requestText, "latin1", () => resolve())),
    expectReceived: (part: string) => until(() => text.includes(part)),
    closed: () => until(() => isClosed),
    isClosed: () => isClosed,
  };
}
