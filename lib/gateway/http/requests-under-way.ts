import type { Listener } from "./listener";

/** A request, and the server it came in by. */
interface UnderWay {
  readonly request: Request;
  readonly listener: Listener;
}

/**
 * The requests whose reply is not made yet or still goes out. One with a reply that isn't a stream leaves by itself; the others
 * are found by the server's not knowing them any more: `sweep` is to be called about once a second.
 */
export class RequestsUnderWay {
  readonly #all = new Set<UnderWay>();

  enter(request: UnderWay): void {
    this.#all.add(request);
  }

  leave(request: UnderWay): void {
    this.#all.delete(request);
  }

  /** The ports at the other end of their connections. */
  ports(): ReadonlySet<number> {
    const ports = new Set<number>();
    for (const { request, listener } of this.#all) {
      const port = listener.requestIP(request)?.port;
      if (port !== undefined) ports.add(port);
    }
    return ports;
  }

  /** Forgets those whose reply has gone out, or whose client has. */
  sweep(): void {
    for (const underWay of this.#all) {
      if (underWay.listener.requestIP(underWay.request) === null) this.#all.delete(underWay);
    }
  }
}
