import type { Surplus, SurplusConnection, SurplusQuery } from "./connection-thread";
import { openSocketCalls, type SocketCalls } from "./socket-calls";
import { countSockets, socketOf } from "./socket-table";

/** Connections that were used within this time are never closed. */
const MIN_IDLE_MS = 1_000;
/** The log gets at most one line a minute, however many clients return. */
const TELL_MS = 60_000;
/** Connections checked before other requests are served. */
const LOOKED_AT_ONCE = 50;
/** The console and local proxies connect from these addresses. */
const OWN_MACHINE = ["127.0.0.1", "::1"];

export interface ConnectionCapOptions {
  /** The listening port. */
  readonly port: number;
  readonly maxPerCaller: number;
  /** Addresses and networks that are exempt: proxies, which serve many clients. */
  readonly exempt: readonly string[];
  /** The remote ports of the connections with a request under way. */
  readonly portsUnderWay: () => ReadonlySet<number>;
  readonly log: (line: string) => void;
}

/**
 * Closes the connections of an address beyond its share, the oldest first. It closes idle connections only: no request
 * under way, nothing waiting to be read or sent, and nothing sent for a second. Bun reports neither new nor idle
 * connections, so this asks the kernel, on a thread of its own and only while there are more connections than one address
 * may have.
 */
export class ConnectionCap {
  readonly #calls: SocketCalls;
  readonly #order: SurplusQuery;
  #thread: Worker | null = null;
  #isChecking = false;
  #untold = 0;
  #toldAtMs = Number.NEGATIVE_INFINITY;

  /** @throws Error where the system isn't Linux, or doesn't show its sockets. */
  constructor(private readonly options: ConnectionCapOptions) {
    const { port, maxPerCaller, exempt } = options;
    countSockets();
    this.#calls = openSocketCalls();
    this.#order = { port, maxPerCaller, exempt: [...OWN_MACHINE, ...exempt] };
  }

  /** Call it about once a second. */
  check(): void {
    if (this.#isChecking || countSockets() <= this.options.maxPerCaller) return;
    this.#isChecking = true;
    this.#thread ??= this.#startThread();
    this.#thread.postMessage(this.#order);
  }

  close(): void {
    this.#thread?.terminate();
    this.#thread = null;
  }

  #startThread(): Worker {
    const thread = new Worker(new URL("./connection-thread.ts", import.meta.url));
    const failed = (reason: string) => {
      this.options.log(`Connections could not be looked at: ${reason}`);
      this.close();
      this.#isChecking = false;
    };
    thread.onerror = ({ message }) => failed(message);
    thread.onmessage = ({ data }: MessageEvent<Surplus[] | { fault: string }>) => {
      if (!Array.isArray(data)) return failed(data.fault);
      this.#closeSurplus(data).catch((error: unknown) => failed(String(error)));
    };
    return thread;
  }

  async #closeSurplus(surplus: readonly Surplus[]): Promise<void> {
    for (const { caller, count, connections } of surplus) {
      let left = count;
      for (let start = 0; start < connections.length && left > 0; start += LOOKED_AT_ONCE) {
        left -= this.#closeResting(connections.slice(start, start + LOOKED_AT_ONCE), left);
        await new Promise(setImmediate);
      }
      if (left < count) this.#tell(count - left, caller);
    }
    this.#isChecking = false;
  }

  #tell(closed: number, caller: string): void {
    this.#untold += closed;
    const nowMs = performance.now();
    if (nowMs - this.#toldAtMs < TELL_MS) return;
    this.options.log(
      `Closed ${this.#untold} resting connections of addresses with too many, last ${caller}.`,
    );
    this.#untold = 0;
    this.#toldAtMs = nowMs;
  }

  /** @returns how many it closed, at most `most`. */
  #closeResting(connections: readonly SurplusConnection[], most: number): number {
    const underWay = this.options.portsUnderWay();
    let closed = 0;
    for (const { descriptor, inode, callerPort } of connections) {
      if (closed === most) break;
      if (underWay.has(callerPort)) continue;
      // Only this thread closes accepted sockets, so a descriptor that matches this socket stays valid until the next line.
      if (socketOf(descriptor) !== inode || !this.#calls.isResting(descriptor, MIN_IDLE_MS)) continue;
      this.#calls.shutDown(descriptor);
      closed++;
    }
    return closed;
  }
}
