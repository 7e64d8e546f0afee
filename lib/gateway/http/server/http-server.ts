import type { Socket, SocketHandler } from "bun";
import { plainAddress } from "@/lib/client-address/trusted-proxies";
import { newId } from "@/lib/contract/ids";
import type { ClockAndRandom } from "../../clock";
import type { IncomingRequest } from "../../incoming-request";
import { Refusal } from "../../refusal";
import { answerRefusal, internalError } from "../refuse";
import { Connection } from "./connection";
import type { ConnectionServer } from "./connection-server";
import { ConnectionShares, type SharedConnection, type ShareOptions } from "./connection-shares";

const SWEEP_MS = 1_000;

export interface HttpServerOptions extends ShareOptions {
  readonly hostname: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly runtime: ClockAndRandom;
  /** Answers a request. @param peer the IP address at the other end of the connection. */
  readonly answer: (request: IncomingRequest, peer: string) => Promise<Response>;
  readonly logFault: (where: string, error: unknown) => void;
}

type ServerSocket = Socket<Connection>;

/**
 * A server of HTTP/1.1 (RFC 9112). Unlike `Bun.serve`, it answers clients that end their half or send the next request
 * before the reply, and it counts the connections of each address.
 */
export class HttpServer implements ConnectionServer {
  readonly #connections = new Set<Connection>();
  readonly #shares: ConnectionShares;
  readonly #listener: Bun.TCPSocketListener<Connection>;
  readonly #sweeping: ReturnType<typeof setInterval>;
  readonly #allStopped = Promise.withResolvers<void>();
  isStopping = false;
  /** Read once a sweep, since each request needs it. */
  seconds = 0;

  /** @throws Error with the code EADDRINUSE if another program listens on the port. */
  constructor(private readonly options: HttpServerOptions) {
    this.#shares = new ConnectionShares(options);
    this.seconds = this.#nowSeconds();
    const { hostname, port } = options;
    this.#listener = Bun.listen<Connection>({
      hostname,
      port,
      allowHalfOpen: true,
      socket: this.#handlers(),
    });
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweeping.unref();
  }

  get port(): number {
    return this.#listener.port;
  }

  /** `http://host:port` */
  get origin(): string {
    const { hostname } = this.options;
    return `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${this.port}`;
  }

  answer(request: IncomingRequest, peer: string): Promise<Response> {
    return this.options.answer(request, peer);
  }

  refuse(fault: unknown): Response {
    const { clock, random } = this.options.runtime;
    const requestId = newId("req", clock.nowMs(), random);
    if (!(fault instanceof Refusal)) this.logFault(fault);
    const refusal = fault instanceof Refusal ? fault : internalError(requestId);
    return answerRefusal(refusal, requestId, "openai");
  }

  logFault(error: unknown): void {
    this.options.logFault("connection", error);
  }

  forget(connection: SharedConnection): void {
    this.#connections.delete(connection as Connection);
    this.#shares.leave(connection);
    if (this.isStopping && this.#connections.size === 0) this.#allStopped.resolve();
  }

  /** Ends what has exceeded its time. Runs once a second. */
  sweep(): void {
    this.seconds = this.#nowSeconds();
    for (const connection of this.#connections) connection.sweep();
    this.#shares.sweep(this.seconds);
  }

  /**
   * Accepts no more connections, and closes each one as soon as its request is answered. Resolves once all are closed.
   * @param isAtOnce whether to break off the requests under way.
   */
  async stop(isAtOnce = false): Promise<void> {
    this.isStopping = true;
    this.#listener.stop();
    for (const connection of this.#connections) {
      if (isAtOnce) connection.destroy();
      else if (connection.restingSince !== null) connection.end();
    }
    if (this.#connections.size === 0) this.#allStopped.resolve();
    await this.#allStopped.promise;
    clearInterval(this.#sweeping);
  }

  #nowSeconds(): number {
    return Math.floor(this.options.runtime.clock.monotonicMs() / 1_000);
  }

  #handlers(): SocketHandler<Connection> {
    return {
      open: (socket: ServerSocket) => {
        socket.setNoDelay(true);
        const { remoteAddress } = socket;
        const connection = new Connection(socket, this, plainAddress(remoteAddress) ?? remoteAddress);
        socket.data = connection;
        this.#connections.add(connection);
        this.#shares.enter(connection);
      },
      data: ({ data }: ServerSocket, bytes: Buffer<ArrayBuffer>) => data.onBytes(bytes),
      drain: ({ data }: ServerSocket) => data?.onDrain(),
      end: ({ data }: ServerSocket) => data?.onEnd(),
      close: ({ data }: ServerSocket) => data?.onClose(),
      error() {},
    } as SocketHandler<Connection>;
  }
}
