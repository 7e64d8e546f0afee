import { readHostname } from "../read-hostname";
import { isStreamed, type RequestBody, type SentRequest, type StreamedBody } from "../server-reply";
import type { Destination } from "./connect";
import { ConnectionPool } from "./connection-pool";
import { Http1Request } from "./http1-request";

/** A request's head without its length. */
interface Head {
  readonly text: string;
  readonly bytes: number;
}

interface PostOptions {
  /** The path at the server; by default the path of the base address. The heads of the few paths in use are cached. */
  readonly path?: string | undefined;
  readonly traceparent?: string | undefined;
  /** Further headers, which replace the usual ones of the same name. The head is then made for this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request whose head is not cached. */
export interface SingleRequest {
  readonly method: HttpMethod;
  readonly path: string;
  /** Further headers, which replace the usual ones of the same name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Empty by default. */
  readonly body?: string | StreamedBody | undefined;
}

type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

/** Sends requests to one server over HTTP/1.1 with kept connections. Does not follow redirects. */
export class Http1Client {
  readonly #pool: ConnectionPool;
  readonly #headTo: (
    path: string,
    extraHeaders?: Readonly<Record<string, string>>,
    method?: HttpMethod,
  ) => Head;
  readonly #heads = new Map<string, Head>();
  readonly #path: string;
  readonly #leave: (request: Http1Request) => void;

  /**
   * @param address an `http` or `https` URL.
   * @param headers all headers except host and length.
   * @param findAddress returns the IP address of the URL's host; absent if any address will do.
   * @param ca trusted certificates, instead of the machine's.
   */
  constructor(
    address: string,
    headers: Readonly<Record<string, string>>,
    findAddress?: () => string | Promise<string>,
    ca?: string,
  ) {
    const url = new URL(address);
    const { host, port, protocol, pathname, search } = url;
    const isSecure = protocol === "https:";
    const name = readHostname(url);
    const to = (target: string): Destination => ({
      address: target,
      port: Number(port) || (isSecure ? 443 : 80),
      serverName: isSecure ? name : null,
      ca,
    });
    this.#pool = new ConnectionPool(() => {
      const target = findAddress?.() ?? name;
      return target instanceof Promise ? target.then(to) : to(target);
    });
    this.#leave = (request) => this.#pool.leave(request);
    // Rejects values that would inject further headers.
    const formatHeaders = (all: Headers) =>
      [...all].map(([field, value]) => `${field}: ${value}\r\n`).join("");
    const usual = formatHeaders(new Headers(headers));
    this.#headTo = (path, extraHeaders, method = "POST") => {
      const fields = extraHeaders ? formatHeaders(replaceHeaders(headers, extraHeaders)) : usual;
      const text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${fields}content-length: `;
      return { text, bytes: Buffer.byteLength(text) };
    };
    this.#path = `${pathname}${search}`;
  }

  /** @throws TypeError for headers that would inject others. */
  post(body: RequestBody, { path = this.#path, traceparent, headers }: PostOptions = {}): SentRequest {
    const head = headers ? this.#headTo(path, headers) : this.#findHead(path);
    if (isStreamed(body)) return this.#postStreamed(body, path, traceparent);
    const isText = typeof body === "string";
    const bodyBytes = isText ? Buffer.byteLength(body) : body.byteLength;
    const traceHeader = traceparent === undefined ? "" : `traceparent: ${traceparent}\r\n`;
    const length = `${bodyBytes}\r\n${traceHeader}\r\n`;
    const headBytes = head.bytes + length.length;
    const request = isText
      ? new Http1Request(head.text + length + body, headBytes + bodyBytes, null, this.#leave)
      : new Http1Request(head.text + length, headBytes, body, this.#leave);
    this.#pool.send(request);
    return request;
  }

  #findHead(path: string): Head {
    let head = this.#heads.get(path);
    if (!head) this.#heads.set(path, (head = this.#headTo(path)));
    return head;
  }

  /** @throws TypeError for headers that would inject others. */
  request({ method, path, headers, body = "" }: SingleRequest): SentRequest {
    if (typeof body !== "string") {
      const typedHeaders = { ...headers, "content-type": body.contentType };
      return this.#sendStreamed(
        `${this.#headTo(path, typedHeaders, method).text}${body.bytes}\r\n\r\n`,
        body,
      );
    }
    const { text } = this.#headTo(path, headers, method);
    const requestText = `${text}${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const request = new Http1Request(requestText, Buffer.byteLength(requestText), null, this.#leave);
    this.#pool.send(request);
    return request;
  }

  /** Doesn't cache the head, since each form has its own boundary. */
  #postStreamed(body: StreamedBody, path: string, traceparent: string | undefined): SentRequest {
    const traceHeader = traceparent === undefined ? "" : `traceparent: ${traceparent}\r\n`;
    const { text } = this.#headTo(path, { "content-type": body.contentType });
    return this.#sendStreamed(`${text}${body.bytes}\r\n${traceHeader}\r\n`, body);
  }

  #sendStreamed(head: string, body: StreamedBody): SentRequest {
    const request = new Http1Request(head, Buffer.byteLength(head), body, this.#leave);
    this.#pool.send(request);
    return request;
  }
}

function replaceHeaders(
  usual: Readonly<Record<string, string>>,
  extraHeaders: Readonly<Record<string, string>>,
): Headers {
  const headers = new Headers(usual);
  for (const [name, value] of Object.entries(extraHeaders)) headers.set(name, value);
  return headers;
}
