import { CR, LF } from "./characters";
import { malformedRequest } from "./malformed-request";
import { type Carrier, ReceivedBody, viewBytes } from "./received-body";
import { type RequestFraming, readFraming } from "./request-framing";
import { type RequestHead, readHead } from "./request-head";

/** Received bytes behind the request under way, at which the connection is paused. */
const MAX_AHEAD_BYTES = 64 * 1024;
const NO_BODY = new Uint8Array(0);

export interface ReadRequest {
  readonly head: RequestHead;
  readonly framing: RequestFraming;
  /** The whole body, if it arrived with the head. */
  readonly received: Uint8Array<ArrayBuffer> | null;
  /** A body that did not arrive whole with the head. */
  readonly body: ReceivedBody | null;
}

/** Cuts what a connection receives into requests. */
export class Intake {
  /** What arrived behind the last request, or the beginning of a head. */
  #ahead: Buffer<ArrayBuffer> | null = null;
  /** The body that is arriving. */
  body: ReceivedBody | null = null;
  isStopped = false;

  constructor(private readonly carrier: Carrier) {}

  /** Whether there is something behind the last request. */
  get hasMore(): boolean {
    return this.#ahead !== null;
  }

  /** Whether the buffer has reached `MAX_AHEAD_BYTES`. */
  get isFull(): boolean {
    return this.#ahead !== null && this.#ahead.length > MAX_AHEAD_BYTES;
  }

  /** @throws Refusal for a malformed body. */
  receive(bytes: Buffer<ArrayBuffer>): void {
    if (this.isStopped) return;
    let at = 0;
    if (this.body) {
      at = this.body.push(bytes, 0);
      if (this.body.isOver) this.body = null;
    }
    if (at === bytes.length) return;
    const remainder = at === 0 ? bytes : bytes.subarray(at);
    this.#ahead = this.#ahead === null ? remainder : Buffer.concat([this.#ahead, remainder]);
  }

  /**
   * @returns the next request, once its head and the previous body have arrived.
   * @throws Refusal for a malformed one.
   */
  next(): ReadRequest | null {
    const bytes = this.#ahead;
    if (bytes === null || this.body) return null;
    let start = 0;
    // Some clients send an empty line behind a body (RFC 9112, section 2.2).
    while (bytes[start] === CR && bytes[start + 1] === LF) start += 2;
    if (start === bytes.length) this.#ahead = null;
    if (start >= bytes.length - 1 && (start === bytes.length || bytes[start] === CR)) return null;
    const head = readHead(bytes, start);
    return head && this.#begin(head, bytes, start + head.bytes);
  }

  /** Forgets the buffered bytes and the body, and ignores what follows: where the next request begins is unknown. */
  stop(): void {
    this.isStopped = true;
    this.#ahead = null;
    this.body = null;
  }

  #begin(head: RequestHead, bytes: Buffer<ArrayBuffer>, from: number): ReadRequest {
    const framing = readFraming(head);
    const size = framing.body;
    if (size !== "chunked" && bytes.length - from >= size) {
      const end = from + size;
      const isLast = end === bytes.length;
      this.#ahead = isLast ? null : bytes.subarray(end);
      // A view would also hold, and hand to threads, what follows.
      const takeBytes = () =>
        isLast ? viewBytes(bytes, from, end) : new Uint8Array(bytes.subarray(from, end));
      return { head, framing, received: size === 0 ? NO_BODY : takeBytes(), body: null };
    }
    const body = new ReceivedBody(size, this.carrier, framing.expectsContinue);
    const end = body.push(bytes, from);
    this.#ahead = end === bytes.length ? null : bytes.subarray(end);
    if (!body.isOver) this.body = body;
    return { head, framing, received: null, body };
  }
}

export function cutWithinHead() {
  return malformedRequest("The request ends within its headers. End them with an empty line.");
}
