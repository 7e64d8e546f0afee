import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/** In which each request carries the address at the other end of its connection. What a browser sends under this name is lost. */
export const PEER_HEADER = "x-gatehouse-peer";

/**
 * Notes the address of every connection on its requests, before anything reads them. Next.js tells of it in `X-Forwarded-For`
 * alone, and only where the browser has not written one itself.
 */
export function notePeers(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    const address = request.socket.remoteAddress;
    if (address === undefined) delete request.headers[PEER_HEADER];
    else request.headers[PEER_HEADER] = address;
  });
}
