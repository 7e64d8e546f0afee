import type { IncomingRequest } from "../../incoming-request";
import type { ReceivedBody } from "./received-body";
import type { RequestFraming } from "./request-framing";
import type { RequestHead } from "./request-head";

/** A request as it arrived. Nothing is made of it before somebody asks. */
export class ServerRequest implements IncomingRequest {
  #abort: AbortController | null = null;
  #hasLeft = false;

  constructor(
    readonly headers: RequestHead,
    readonly framing: RequestFraming,
    readonly received: Uint8Array<ArrayBuffer> | null,
    readonly body: ReceivedBody | null,
  ) {}

  get url(): string {
    return this.framing.url;
  }

  get method(): string {
    return this.headers.method;
  }

  get signal(): AbortSignal {
    if (this.#abort === null) {
      this.#abort = new AbortController();
      if (this.#hasLeft) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** The client has left. */
  leave(): void {
    this.#hasLeft = true;
    this.#abort?.abort();
  }
}
