import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { CheckedHost, isBehindProxy, type ResolveHost, reachHost, readHostname } from "./allowed-addresses";
import { Http1Client, type SingleRequest } from "./http1/http1-client";
import { isStreamed, type RequestBody, RespondedRequest, type SentRequest } from "./server-reply";

interface Server {
  /** The address without a trailing slash. */
  readonly baseUrl: string;
  /** Whether it may be at a private address. */
  readonly isTrusted: boolean;
}

/** A POST with the usual headers. */
interface Post {
  /** The path below the base address, with a leading slash. */
  readonly path: string;
  readonly body: RequestBody;
  readonly traceparent?: string | undefined;
  /** Further headers, which replace the usual ones of the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends requests to a server over our own client, or through the machine's proxy. A server that is not trusted must be
 * at a public address. Follows no redirects.
 */
export class ServerConnection {
  /** Returns the checked address of the host; absent if any address will do. */
  readonly find: (() => string | Promise<string>) | undefined;
  readonly #client: Http1Client | null;
  readonly #basePath: string;

  /**
   * @param headers sent with each request.
   * @param usualPath the path of most requests, whose head is made once.
   */
  constructor(
    private readonly server: Server,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly options: {
      readonly usualPath?: string;
      readonly resolve?: ResolveHost | undefined;
    } = {},
  ) {
    const { baseUrl, isTrusted } = server;
    this.#basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
    const host = readHostname(new URL(baseUrl));
    // If a proxy connects, the proxy resolves the name and has to check the address.
    const isChecked = !isTrusted && !(isBehindProxy() && isIP(host) === 0);
    const checkedHost = isChecked ? new CheckedHost(host, options.resolve) : null;
    this.find = checkedHost ? () => checkedHost.address ?? checkedHost.find() : undefined;
    this.#client = isBehindProxy()
      ? null
      : new Http1Client(`${baseUrl}${options.usualPath ?? ""}`, headers, this.find);
  }

  /** Resolves once the server accepts a connection within `ms`; rejects with the reason why it can't. */
  async reach(ms: number): Promise<void> {
    const { baseUrl } = this.server;
    return reachHost(this.find ? at(baseUrl, await this.find()) : baseUrl, ms);
  }

  post({ path, body, traceparent, headers }: Post): SentRequest {
    if (!this.#client) {
      const all = { ...headers, ...(traceparent !== undefined && { traceparent }) };
      return this.#sendThroughProxy({ method: "POST", path, headers: all }, body);
    }
    const isUsual = path === this.options.usualPath;
    const fullPath = isUsual ? undefined : `${this.#basePath}${path}`;
    return this.#client.post(body, { path: fullPath, traceparent, headers });
  }

  /** @param request its path is below the base address, with a leading slash. */
  request(request: SingleRequest): SentRequest {
    if (!this.#client) return this.#sendThroughProxy(request, request.body);
    return this.#client.request({ ...request, path: `${this.#basePath}${request.path}` });
  }

  /** Uses `fetch`, which supports proxies. */
  #sendThroughProxy({ method, path, headers }: SingleRequest, body: RequestBody | undefined): SentRequest {
    return new RespondedRequest(async (signal) => {
      await this.find?.();
      const isStream = body !== undefined && isStreamed(body);
      // Without a length, `fetch` would send the body in chunks, which not every server accepts.
      const framing = isStream && { "content-type": body.contentType, "content-length": String(body.bytes) };
      return fetch(`${this.server.baseUrl}${path}`, {
        method,
        headers: { ...this.headers, ...headers, ...framing },
        body: isStream ? Readable.toWeb(Readable.from(body.read())) : body,
        signal,
        // A followed redirect would send the server's key to another host.
        redirect: "manual",
        // The call has its own deadlines.
        timeout: false,
        // `fetch` would decompress the whole reply, however little of it is read.
        decompress: false,
      } as RequestInit);
    });
  }
}

/** The same URL with its host replaced by an IP address. */
function at(baseUrl: string, ip: string): string {
  const url = new URL(baseUrl);
  url.hostname = ip.includes(":") ? `[${ip}]` : ip;
  return url.href.replace(/\/+$/, "");
}

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
