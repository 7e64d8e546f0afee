import { connect, type Destination } from "./connect";
import { Connection } from "./connection";
import type { Http1Request } from "./http1-request";

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
export class ConnectionPool {
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
