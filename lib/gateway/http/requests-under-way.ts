import type { Listener } from "./listener";

/** A request, and the server that received it. */
interface UnderWay {
  readonly request: Request;
  readonly listener: Listener;
}

/**
 * The requests whose reply is not ready or still being sent. A request with a plain reply removes itself; the others are
 * removed once the server no longer knows them, by `sweep`, which must be called about once a second.
 */
export class RequestsUnderWay {
  readonly #all = new Set<UnderWay>();

  enter(request: UnderWay): void {
    this.#all.add(request);
  }

  leave(request: UnderWay): void {
    this.#all.delete(request);
  }

  /** The remote ports of their connections. */
  ports(): ReadonlySet<number> {
    const ports = new Set<number>();
    for (const { request, listener } of this.#all) {
      const port = listener.requestIP(request)?.port;
      if (port !== undefined) ports.add(port);
    }
    return ports;
  }

  /** Removes requests whose reply was sent or whose client has left. */
  sweep(): void {
    for (const underWay of this.#all) {
      if (underWay.listener.requestIP(underWay.request) === null) this.#all.delete(underWay);
    }
  }
}
