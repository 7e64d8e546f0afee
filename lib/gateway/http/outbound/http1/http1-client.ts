import type { Socket } from "bun";
import { readHostname } from "../allowed-addresses";
import { isStreamed, type RequestBody, type SentRequest, type StreamedBody } from "../server-reply";
import { Connection, Http1Request } from "./connection";

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

/** The maximum number of connections being opened at a time, for a server that doesn't respond. */
const MAX_ATTEMPTS = 256;
/**
 * The time after which a connection attempt no longer counts as promising, and another one starts; the slow one may
 * still succeed.
 */
const SLOW_ATTEMPT_MS = 1_000;
const HOPELESS_ATTEMPT_MS = 10_000;
const SWEEP_MS = 1_000;
/** For this long after a peer closed a connection, idle ones are not reused, since the peer may be closing them too. */
const DISTRUST_MS = 1_000;

interface Attempt {
  readonly startedAtMs: number;
}

/** The connections to one server. */
class ConnectionPool {
  /** The most recently used connection comes last. */
  readonly #idle: Connection[] = [];
  readonly #waitingRequests: Http1Request[] = [];
  readonly #attempts = new Set<Attempt>();
  /** No connection is kept before this time. */
  #distrustedUntilMs = 0;
  #sweep: ReturnType<typeof setInterval> | null = null;

  /** @param locate returns the destination of a new connection. Rejects if connecting is forbidden. */
  constructor(private readonly locate: () => Destination | Promise<Destination>) {}

  /** Sends a request over a free connection, or over the next one that becomes free. */
  send(request: Http1Request): void {
    const now = performance.now();
    for (let free = this.#idle.pop(); free; free = this.#idle.pop()) {
      if (free.idleUntilMs <= now) free.destroy();
      else if (free.send(request)) return;
    }
    this.#waitingRequests.push(request);
    this.#connectForWaiting(now);
  }

  /** Removes a request from the queue. */
  leave(request: Http1Request): void {
    const at = this.#waitingRequests.indexOf(request);
    if (at >= 0) this.#waitingRequests.splice(at, 1);
  }

  free(connection: Connection): void {
    if (connection.hasReplied && performance.now() < this.#distrustedUntilMs) return connection.destroy();
    const next = this.#waitingRequests.shift();
    if (next) {
      if (!connection.send(next)) this.send(next);
      return;
    }
    this.#idle.push(connection);
    this.#sweep ??= setInterval(() => this.#closeIdle(performance.now()), SWEEP_MS);
    this.#sweep.unref();
  }

  distrustIdle(): void {
    this.#distrustedUntilMs = performance.now() + DISTRUST_MS;
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  forget(connection: Connection): void {
    const at = this.#idle.lastIndexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #closeIdle(now: number): void {
    for (const connection of this.#idle.filter(({ idleUntilMs }) => idleUntilMs <= now)) connection.destroy();
    if (this.#idle.length > 0 || this.#sweep === null) return;
    clearInterval(this.#sweep);
    this.#sweep = null;
  }

  #connectForWaiting(now: number): void {
    let promising = this.#promising(now);
    while (promising < this.#waitingRequests.length && this.#attempts.size < MAX_ATTEMPTS) {
      promising++;
      void this.#connect({ startedAtMs: now });
    }
  }

  /** The number of attempts that may still succeed soon. */
  #promising(now: number): number {
    let promising = 0;
    for (const attempt of this.#attempts) {
      const ageMs = now - attempt.startedAtMs;
      if (ageMs < SLOW_ATTEMPT_MS) promising++;
      else if (ageMs > HOPELESS_ATTEMPT_MS) this.#attempts.delete(attempt);
    }
    return promising;
  }

  async #connect(attempt: Attempt): Promise<void> {
    this.#attempts.add(attempt);
    try {
      const destination = await this.locate();
      await connect(destination, (socket) => {
        this.#attempts.delete(attempt);
        const connection = new Connection(socket, this);
        this.free(connection);
        return connection;
      });
    } catch (error) {
      this.#attempts.delete(attempt);
      // The request that started this attempt keeps waiting.
      if (this.#promising(performance.now()) < this.#waitingRequests.length)
        this.#waitingRequests.shift()?.fail(error);
    }
    this.#connectForWaiting(performance.now());
  }
}

/** The destination of a connection. */
interface Destination {
  /** An IP address, or a host name. */
  readonly address: string;
  readonly port: number;
  /** The name that the certificate must have; null for no TLS. */
  readonly serverName: string | null;
  /** Trusted certificates, instead of the machine's. */
  readonly ca?: string | undefined;
}

/** Receives the events of a connection. */
interface ConnectionEvents {
  onBytes(bytes: Buffer<ArrayBuffer>): void;
  onDrain(): void;
  onClose(): void;
}

/** Long enough for a handshake over a very slow network. */
const HANDSHAKE_MS = 10_000;
/** The ALPN list: HTTP/1.1 only. */
const HTTP_1_1 = Buffer.from("\x08http/1.1");

/** A connection in the making: it is ready once it is open and its peer is authenticated. */
interface PendingConnection {
  events: ConnectionEvents | null;
  readonly isSecure: boolean;
  readonly open: (socket: Socket<PendingConnection>) => ConnectionEvents;
  readonly fail: (error: unknown) => void;
  timer?: ReturnType<typeof setTimeout>;
}

function onOpen(socket: Socket<PendingConnection>): void {
  clearTimeout(socket.data.timer);
  socket.data.events ??= socket.data.open(socket);
}

const handlers = {
  open(socket: Socket<PendingConnection>) {
    socket.setNoDelay(true);
    const { data } = socket;
    if (!data.isSecure) return onOpen(socket);
    data.timer = setTimeout(() => {
      data.fail(
        new TlsFailed("ERR_TLS_HANDSHAKE_TIMEOUT", `The TLS handshake took longer than ${HANDSHAKE_MS} ms`),
      );
      socket.terminate();
    }, HANDSHAKE_MS);
  },
  /** Bun has verified chain, dates and name, and closes the connection itself if one is wrong. */
  handshake(socket: Socket<PendingConnection>, isTrusted: boolean, error: Error | null) {
    if (isTrusted && !error) return onOpen(socket);
    const code = error && "code" in error ? String(error.code) : "ERR_TLS_CERT";
    socket.data.fail(
      new TlsFailed(
        code === "EPROTO" ? "ERR_TLS_HANDSHAKE" : code,
        error?.message ?? "The certificate is not accepted",
      ),
    );
    socket.terminate();
  },
  data: (socket: Socket<PendingConnection>, bytes: Buffer<ArrayBuffer>) => socket.data.events?.onBytes(bytes),
  drain: (socket: Socket<PendingConnection>) => socket.data.events?.onDrain(),
  close({ data }: Socket<PendingConnection>) {
    clearTimeout(data.timer);
    if (data.events) data.events.onClose();
    else data.fail(new TlsFailed("ERR_TLS_HANDSHAKE", "The connection was closed within the TLS handshake"));
  },
  error() {},
};

/** Nothing was sent: the peer has another identity, or doesn't speak TLS. */
class TlsFailed extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Opens a connection. Resolves once a request may be sent, which with TLS is after the certificate was verified.
 * Rejects with the network's error, or with TlsFailed.
 * @param open returns the handler of the connection's further events.
 */
function connect(
  { address, port, serverName, ca }: Destination,
  open: (socket: Socket<unknown>) => ConnectionEvents,
): Promise<void> {
  return new Promise((resolve, fail) => {
    const onConnect = (socket: Socket<PendingConnection>) => {
      resolve();
      return open(socket as Socket<unknown>);
    };
    const data: PendingConnection = { events: null, isSecure: serverName !== null, open: onConnect, fail };
    const tls =
      serverName === null
        ? {}
        : { tls: { serverName, rejectUnauthorized: true, ALPNProtocols: HTTP_1_1, ca } };
    Bun.connect<PendingConnection>({
      hostname: address,
      port,
      data,
      ...tls,
      socket: handlers,
    } as never).catch(fail);
  });
}
