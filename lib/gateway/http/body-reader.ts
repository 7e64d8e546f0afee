import { MINUTE_MS } from "@/lib/contract/durations";
import { formatBytes } from "@/lib/contract/format-bytes";
import type { Clock } from "../clock";
import { type ListItem, UnorderedList } from "../lists/unordered-list";
import { invalid, Refusal, retryAfter } from "../refusal";
import type { RequestHeaders } from "../request-headers";

const GRACE_MS = 10_000;
const MIN_BYTES_PER_SECOND = 16 * 1024;
const DEADLINE_MS = 5 * MINUTE_MS;
/** A body that takes longer counts as slow. */
const SLOW_MS = 1_000;
const MAX_HELD_BYTES = 512 * 1024 * 1024;
/** A body that announces no more is taken as one piece, which costs half as much. */
const WHOLE_BYTES = 64 * 1024;

/** A body in the pieces it arrived in. Joining a long one would block the event loop. */
export type BodyPieces = readonly Uint8Array[];

export function countBytes(pieces: BodyPieces): number {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only.byteLength;
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Joins a body that is short enough to be copied at once. */
export function joinPieces(pieces: BodyPieces): Uint8Array {
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/** The same as a Buffer on the same memory, to search in it. */
export function joinToBuffer(pieces: BodyPieces): Buffer {
  const { buffer, byteOffset, byteLength } = joinPieces(pieces);
  return Buffer.from(buffer, byteOffset, byteLength);
}

type PieceReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** The sender of a body. The address is computed for slow bodies only. */
interface BodySource {
  readonly request: Pick<Request, "headers" | "body" | "bytes">;
  address(): string | null;
}

/** A body that has not arrived completely. */
class AwaitedBody implements ListItem {
  position = -1;
  bytes = 0;
  #refusal: Refusal | null = null;
  #reject: ((refusal: Refusal) => void) | null = null;

  constructor(
    readonly from: BodySource,
    readonly startedAtMs: number,
    /** Bodies that arrive are numbered in the order in which they were begun. */
    readonly number: number,
  ) {}

  /** Waits for the next part, unless the body is refused first. One call at a time. @throws Refusal */
  unlessRefused<Part>(part: Promise<Part>): Promise<Part> {
    if (this.#refusal) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      part.then(resolve, reject);
    });
  }

  /** Ends the wait. */
  refuse(refusal: Refusal): void {
    this.#refusal ??= refusal;
    this.#reject?.(refusal);
  }
}

interface BodyReaderOptions {
  readonly clock: Clock;
  /** How many slow bodies one network address may have at once. */
  readonly maxSlowPerAddress: number;
}

/**
 * Reads whole bodies, and ends those that arrive too slowly: each has 10 seconds, then 16 KiB a second on average, and
 * 5 minutes in all. Bodies have no timers of their own: call `sweep` about once a second.
 */
export class BodyReader {
  readonly #awaitedBodies = new UnorderedList<AwaitedBody>();
  #heldBytes = 0;
  #bodyCount = 0;

  constructor(private readonly options: BodyReaderOptions) {}

  /**
   * @throws Refusal 413 once more than `maxBytes` are announced or received, 408 for a body that arrives too slowly,
   * 429 if its address has too many slow bodies, 503 if all pending bodies take too much memory, 400 for one that is
   * compressed or breaks off.
   */
  async read(from: BodySource, maxBytes: number): Promise<BodyPieces> {
    const { request } = from;
    const announcedBytes = refuseByHead(request.headers, maxBytes);
    const body = new AwaitedBody(from, this.options.clock.monotonicMs(), ++this.#bodyCount);
    this.#awaitedBodies.add(body);
    try {
      if (announcedBytes !== null && announcedBytes <= WHOLE_BYTES)
        return [await this.#readWhole(request, body, announcedBytes)];
      return request.body ? await this.#readPieces(request.body.getReader(), body, maxBytes) : [];
    } catch (error) {
      throw error instanceof Refusal ? error : brokenOff();
    } finally {
      this.#awaitedBodies.delete(body);
      this.#heldBytes -= body.bytes;
    }
  }

  /**
   * Yields a body in pieces without storing them: each is read once the previous one was consumed.
   * @throws Refusal as `read` does, except for memory.
   */
  async *stream(from: BodySource, maxBytes: number): AsyncGenerator<Uint8Array> {
    const { request } = from;
    refuseByHead(request.headers, maxBytes);
    const body = new AwaitedBody(from, this.options.clock.monotonicMs(), ++this.#bodyCount);
    const pieces = request.body?.getReader();
    if (!pieces) return;
    this.#awaitedBodies.add(body);
    try {
      for (;;) {
        const { value } = await body.unlessRefused(pieces.read()).catch((error: unknown) => {
          throw error instanceof Refusal ? error : brokenOff();
        });
        if (!value) return;
        body.bytes += value.byteLength;
        if (body.bytes > maxBytes) throw tooLarge(maxBytes);
        yield value;
      }
    } finally {
      this.#awaitedBodies.delete(body);
      void pieces.cancel().catch(() => {});
    }
  }

  /** Refuses bodies that are too slow, and the most recent ones of an address with too many slow bodies. */
  sweep(): void {
    const nowMs = this.options.clock.monotonicMs();
    const slowByAddress = new Map<string | null, number>();
    const slowBodies: AwaitedBody[] = [];
    this.#awaitedBodies.each((body) => {
      if (nowMs - body.startedAtMs >= SLOW_MS) slowBodies.push(body);
    });
    for (const body of slowBodies.toSorted((one, other) => one.number - other.number)) {
      const elapsedMs = nowMs - body.startedAtMs;
      const expected = ((elapsedMs - GRACE_MS) / 1_000) * MIN_BYTES_PER_SECOND;
      if (elapsedMs > DEADLINE_MS || body.bytes < expected) {
        body.refuse(tooSlow());
        continue;
      }
      const address = body.from.address();
      const slow = (slowByAddress.get(address) ?? 0) + 1;
      slowByAddress.set(address, slow);
      if (slow > this.options.maxSlowPerAddress) body.refuse(tooManySlow(this.options.maxSlowPerAddress));
    }
  }

  /** Its bytes count as read from the start: it has the time that they may take. */
  async #readWhole(request: Pick<Request, "bytes">, body: AwaitedBody, announcedBytes: number) {
    this.#hold(body, announcedBytes);
    return body.unlessRefused(request.bytes());
  }

  #hold(body: AwaitedBody, bytes: number): void {
    body.bytes += bytes;
    this.#heldBytes += bytes;
    if (this.#heldBytes > MAX_HELD_BYTES) throw tooMuchAtOnce();
  }

  async #readPieces(pieces: PieceReader, body: AwaitedBody, maxBytes: number): Promise<BodyPieces> {
    const gathered = new GatheredPieces();
    try {
      for (;;) {
        const { value } = await body.unlessRefused(pieces.read());
        if (!value) return gathered.end();
        if (body.bytes + value.byteLength > maxBytes) throw tooLarge(maxBytes);
        this.#hold(body, value.byteLength);
        gathered.add(value);
      }
    } finally {
      void pieces.cancel().catch(() => {});
    }
  }
}

/** @returns how long the body is, if it says so. */
function refuseByHead(headers: RequestHeaders, maxBytes: number): number | null {
  const length = headers.get("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  refuseCompressed(headers);
  return length === null ? null : Number(length);
}

/** Some clients announce a character set here, such as `utf-8`, which compresses nothing. */
const COMPRESSIONS = /\b(?:gzip|br|zstd|deflate|compress)\b/i;

/**
 * Bodies are read as they are sent, since a small compressed one can be huge (RFC 9110, section 8.4).
 * @throws Refusal 415 for a body that its `content-encoding` calls compressed.
 */
function refuseCompressed(headers: RequestHeaders): void {
  const compression = COMPRESSIONS.exec(headers.get("content-encoding") ?? "");
  if (compression) throw compressedBody(compression[0].toLowerCase());
}

export function compressedBody(compression: string): Refusal {
  const message = `The body is compressed with ${compression}. Send it uncompressed, without a Content-Encoding.`;
  return new Refusal(415, "invalid_request_error", "unsupported_content_encoding", message, {
    param: "body",
    headers: { "accept-encoding": "identity" },
  });
}

/** The rest of a refused body isn't read, so its connection can't be reused. */
const close = { connection: "close" };

function tooLarge(maxBytes: number): Refusal {
  const message = `The body is larger than ${formatBytes(maxBytes)}, the most that is read here. Send a smaller one.`;
  return new Refusal(413, "request_too_large", "request_too_large", message, { param: "body" });
}

function tooSlow(): Refusal {
  const message = `The body came too slowly: send it within ${GRACE_MS / 1000} seconds, or at ${MIN_BYTES_PER_SECOND / 1024} KiB a second and within ${DEADLINE_MS / 60_000} minutes.`;
  return new Refusal(408, "invalid_request_error", "body_too_slow", message, {
    param: "body",
    headers: close,
  });
}

function tooManySlow(max: number): Refusal {
  const message = `Your network address has more than ${max} requests whose body is still to come. Send bodies at once, or fewer at a time.`;
  return new Refusal(429, "rate_limit_error", "too_many_slow_requests", message, {
    headers: { ...close, ...retryAfter(1) },
  });
}

function tooMuchAtOnce(): Refusal {
  const message = "The gateway is reading as many large bodies as it has memory for. Try again in a second.";
  return new Refusal(503, "service_error", "too_much_at_once", message, {
    headers: { ...close, ...retryAfter(1) },
  });
}

/** The client has disconnected. Only a proxy's log may still show this refusal. */
export function brokenOff(): Refusal {
  return invalid("body", "The request broke off before its reply. Send it again.", "body_incomplete");
}

const FIRST_BLOCK_BYTES = 16 * 1024;
const BLOCK_BYTES = 256 * 1024;
/** Pieces of at least this size are stored without copying. */
const LARGE_BYTES = 16 * 1024;
/** How much of its memory a kept piece or block uses at least. */
const MIN_USED = 0.75;

/**
 * Collects an arriving body in blocks. Storing many tiny pieces would take many times their size, and copying them all
 * at the end would block the event loop. The first piece isn't copied, since most bodies have only one, and neither are
 * large ones, for which the copy would be the largest cost.
 */
export class GatheredPieces {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #block: Uint8Array<ArrayBuffer> | null = null;
  #blockBytes = 0;
  bytes = 0;

  add(piece: Uint8Array<ArrayBuffer>): void {
    if (this.bytes === 0) this.#pieces.push(piece);
    else if (piece.byteLength >= LARGE_BYTES && this.#mayKeep(piece)) this.#keep(piece);
    else this.#copy(piece);
    this.bytes += piece.byteLength;
  }

  /** The whole body. Call it once, after the last piece. */
  end(): readonly Uint8Array<ArrayBuffer>[] {
    this.#closeBlock();
    return this.#pieces;
  }

  #mayKeep({ byteLength, buffer }: Uint8Array): boolean {
    const isBlockUsed = this.#block === null || this.#blockBytes >= this.#block.byteLength * MIN_USED;
    return isBlockUsed && byteLength >= buffer.byteLength * MIN_USED;
  }

  #keep(piece: Uint8Array<ArrayBuffer>): void {
    this.#closeBlock();
    this.#pieces.push(piece);
  }

  #closeBlock(): void {
    if (this.#block === null) return;
    this.#pieces.push(this.#block.subarray(0, this.#blockBytes));
    this.#block = null;
  }

  #copy(piece: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < piece.byteLength; ) {
      const block = this.#freeBlock();
      const part = piece.subarray(at, at + block.byteLength - this.#blockBytes);
      block.set(part, this.#blockBytes);
      this.#blockBytes += part.byteLength;
      at += part.byteLength;
    }
  }

  #freeBlock(): Uint8Array<ArrayBuffer> {
    if (this.#block && this.#blockBytes < this.#block.byteLength) return this.#block;
    this.#closeBlock();
    this.#blockBytes = 0;
    this.#block = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.bytes)));
    return this.#block;
  }
}
