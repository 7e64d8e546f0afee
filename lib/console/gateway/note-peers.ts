import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/**
 * The header in which each request carries its connection's remote address. A value from the browser is overwritten.
 */
export const PEER_HEADER = "x-gatehouse-peer";

/**
 * Records the remote address of every connection on its requests before anything reads them. Next.js reports it only in
 * `X-Forwarded-For`, and only if the browser has not set that header.
 */
export function notePeers(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    const address = request.socket.remoteAddress;
    if (address === undefined) delete request.headers[PEER_HEADER];
    else request.headers[PEER_HEADER] = address;
  });
}
