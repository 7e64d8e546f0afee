import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { readHostname } from "./allowed-addresses";

/** The server accepted the request and didn't reply in time. */
export class ResponseTimeout extends Error {}

interface OutboundRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST; without one the method is GET. */
  readonly body?: string;
  /** Finds the addresses to connect to; by default any of the host's. */
  readonly lookup?: LookupFunction | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request directly, not through a proxy, so that the checked address is the one connected to. Reads only the
 * head of the reply, and follows no redirect.
 * @throws ResponseTimeout, or the connection's own error.
 */
export function requestOnce({
  url,
  headers,
  body,
  lookup,
  timeoutMs,
  signal,
}: OutboundRequest): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders }> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((succeed, fail) => {
    const call = request({
      hostname: readHostname(url),
      port: url.port,
      path: url.pathname + url.search,
      method: body === undefined ? "GET" : "POST",
      headers,
      agent: false,
      ...(lookup && { lookup }),
      ...(signal && { signal }),
    });
    const timer = setTimeout(() => {
      call.destroy();
      fail(new ResponseTimeout(`No answer in ${timeoutMs / 1000} s`));
    }, timeoutMs);
    call.on("response", (reply) => {
      succeed({ status: reply.statusCode ?? 0, headers: reply.headers });
      reply.destroy();
    });
    call.on("error", fail);
    call.on("close", () => clearTimeout(timer));
    call.end(body);
  });
}
