import type { ProviderRequest, SentRequest } from "../provider-client";
import type { Destination } from "./connect";
import { ConnectionPool } from "./connection-pool";
import { Http1Request } from "./sent-request";

/** All of a request's head but its length. */
interface Head {
  readonly text: string;
  readonly bytes: number;
}

interface PostOptions {
  /** Where it goes at the server; the address's own if absent. A client posts to few paths: their heads are kept. */
  readonly path?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Posts to one server by HTTP/1.1, on connections that are kept. Redirects are not followed: they are replies like others. */
export class Http1Client {
  readonly #pool: ConnectionPool;
  readonly #headTo: (path: string) => Head;
  readonly #heads = new Map<string, Head>();
  readonly #path: string;
  readonly #leave: (request: Http1Request) => void;

  /**
   * @param address an `http` or `https` URL.
   * @param headers without those that say where a request goes and how long it is.
   * @param findAddress the IP address of the URL's host; absent where any will do.
   * @param ca certificates that are trusted in the place of the machine's.
   */
  constructor(
    address: string,
    headers: Readonly<Record<string, string>>,
    findAddress?: () => string | Promise<string>,
    ca?: string,
  ) {
    const { hostname, host, port, protocol, pathname, search } = new URL(address);
    const isSecure = protocol === "https:";
    const name = hostname.replace(/^\[|\]$/g, "");
    const to = (found: string): Destination => ({
      address: found,
      port: Number(port) || (isSecure ? 443 : 80),
      serverName: isSecure ? name : null,
      ca,
    });
    this.#pool = new ConnectionPool(() => {
      const found = findAddress?.() ?? name;
      return found instanceof Promise ? found.then(to) : to(found);
    });
    this.#leave = (request) => this.#pool.leave(request);
    // It refuses what would be more than a header.
    const fields = [...new Headers(headers)].map(([field, value]) => `${field}: ${value}\r\n`);
    this.#headTo = (path) => {
      const text = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${fields.join("")}content-length: `;
      return { text, bytes: Buffer.byteLength(text) };
    };
    this.#path = `${pathname}${search}`;
  }

  post(body: ProviderRequest["body"], { path = this.#path, traceparent }: PostOptions = {}): SentRequest {
    let head = this.#heads.get(path);
    if (!head) this.#heads.set(path, (head = this.#headTo(path)));
    const isText = typeof body === "string";
    const bodyBytes = isText ? Buffer.byteLength(body) : body.byteLength;
    const traced = traceparent === undefined ? "" : `traceparent: ${traceparent}\r\n`;
    const length = `${bodyBytes}\r\n${traced}\r\n`;
    const headBytes = head.bytes + length.length;
    const request = isText
      ? new Http1Request(head.text + length + body, headBytes + bodyBytes, null, this.#leave)
      : new Http1Request(head.text + length, headBytes, body, this.#leave);
    this.#pool.send(request);
    return request;
  }
}
