import { hexDigit } from "./hex-digit";
import { MalformedReply, parseHead, type ReplyHead } from "./reply-head";

/** Receives the parts of a reply in this order: one head, pieces of the body, one end. */
export interface ReplyEvents {
  onHead(head: ReplyHead): void;
  /** The sink owns the bytes. */
  onPiece(bytes: Buffer<ArrayBuffer>): void;
  onEnd(): void;
}

type State =
  | "head"
  | "length"
  | "close"
  | "chunk size"
  | "chunk extension"
  | "chunk"
  | "chunk end"
  | "trailers"
  | "over";

/** The most that all heads of a reply have together, including 1xx, and also its chunk extensions and trailers. */
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_IGNORED_BYTES = 64 * 1024;
const MAX_SIZE_DIGITS = 16;
const MAX_CHUNK_BYTES = 2 ** 48;
const [LF, CR, SEMICOLON, SPACE, TAB] = [0x0a, 0x0d, 0x3b, 0x20, 0x09];
const PROTOCOL = Buffer.from("HTTP/1.");
const NONE = Buffer.alloc(0);
const EMPTY_LINE = "\r\n\r\n";
const BARE_EMPTY_LINE = /\r?\n\r?\n/;

/**
 * Parses one reply from network data, wherever it is split (RFC 9112; lines may end with LF alone). It buffers nothing
 * but an incomplete head.
 */
export class ReplyParser {
  #state: State = "head";
  #head: ReplyHead | null = null;
  #partial: Buffer = NONE;
  #headBytes = 0;
  /** Bytes left of the body or of the current chunk. */
  #bytesLeft = 0;
  #sizeDigits = 0;
  #hasCr = false;
  #isLineEmpty = true;
  #asideBytes = 0;

  constructor(private readonly sink: ReplyEvents) {}

  get isOver(): boolean {
    return this.#state === "over";
  }

  get hasBegun(): boolean {
    return this.#headBytes > 0 || this.#partial.length > 0;
  }

  /**
   * @param bytes belong to the parser from here on.
   * @returns how many of them are part of the reply.
   * @throws MalformedReply after the valid part was handed over.
   */
  push(bytes: Buffer<ArrayBuffer>): number {
    if (this.#state !== "head") return this.#readBody(bytes, 0);
    const before = this.#partial.length;
    const all = before === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    const end = this.#readHeads(all, before);
    if (this.#head === null) return bytes.length;
    return this.#readBody(all, end) - before;
  }

  /** The connection was closed. @returns whether that completes the reply. */
  close(): boolean {
    if (this.#state === "close") this.#end();
    return this.#state === "over";
  }

  /** @returns the offset of the body. */
  #readHeads(bytes: Buffer<ArrayBuffer>, scannedBytes: number): number {
    let start = 0;
    for (let scannedUntil = scannedBytes; ; scannedUntil = start) {
      const foundHead = findHead(bytes, start, Math.max(start, scannedUntil - 3));
      const size = (foundHead?.end ?? bytes.length) - start;
      if (this.#headBytes + size > MAX_HEAD_BYTES)
        throw new MalformedReply(`It sent a head of more than ${MAX_HEAD_BYTES} bytes`);
      if (foundHead === null) return this.#keepPartial(bytes.subarray(start));
      this.#headBytes += size;
      const head = parseHead(foundHead.text);
      start = foundHead.end;
      if (head.status >= 200) {
        this.#partial = NONE;
        this.#begin(head);
        return start;
      }
      if (head.status === 101)
        throw new MalformedReply("It sent a switch of protocols that nobody asked for");
    }
  }

  #keepPartial(bytes: Buffer<ArrayBuffer>): number {
    const protocolBytes = Math.min(bytes.length, PROTOCOL.length);
    if (bytes.compare(PROTOCOL, 0, protocolBytes, 0, protocolBytes) !== 0)
      throw new MalformedReply("It sent no status line of HTTP/1.1");
    this.#partial = bytes;
    return 0;
  }

  #begin(head: ReplyHead): void {
    this.#head = head;
    this.#bytesLeft = head.length;
    this.sink.onHead(head);
    if (head.framing === "chunked") this.#state = "chunk size";
    else if (head.framing === "close") this.#state = "close";
    else if (head.framing === "length" && head.length > 0) this.#state = "length";
    else this.#end();
  }

  #end(): void {
    this.#state = "over";
    this.sink.onEnd();
  }

  /** @returns the offset of the reply's end. */
  #readBody(bytes: Buffer<ArrayBuffer>, from: number): number {
    if (this.isOver || from === bytes.length) return from;
    if (this.#head?.framing === "chunked") return this.#readChunks(bytes, from);
    const size =
      this.#state === "length" ? Math.min(this.#bytesLeft, bytes.length - from) : bytes.length - from;
    this.#bytesLeft -= size;
    this.sink.onPiece(from === 0 && size === bytes.length ? bytes : bytes.subarray(from, from + size));
    if (this.#state === "length" && this.#bytesLeft === 0) this.#end();
    return from + size;
  }

  /** Moves the contents of chunks together in place and hands them over as one piece. */
  #readChunks(bytes: Buffer<ArrayBuffer>, from: number): number {
    let at = from;
    let start = -1;
    let end = -1;
    let fault: unknown = null;
    try {
      while (at < bytes.length && this.#state !== "over") {
        if (this.#state !== "chunk") {
          at = this.#readFrame(bytes, at);
          continue;
        }
        const size = Math.min(this.#bytesLeft, bytes.length - at);
        if (start < 0) start = end = at;
        else if (end !== at) bytes.copyWithin(end, at, at + size);
        end += size;
        at += size;
        this.#bytesLeft -= size;
        if (this.#bytesLeft === 0) this.#state = "chunk end";
      }
    } catch (error) {
      fault = error;
    }
    if (start >= 0) this.sink.onPiece(bytes.subarray(start, end));
    if (fault !== null) throw fault;
    if (this.isOver) this.sink.onEnd();
    return at;
  }

  /** Reads one byte of chunk framing. @returns the next offset. */
  #readFrame(bytes: Buffer<ArrayBuffer>, at: number): number {
    const code = bytes[at] ?? 0;
    switch (this.#state) {
      case "chunk size":
        this.#readSize(code);
        break;
      case "chunk extension":
        if (code === LF) this.#sizeRead();
        else if (this.#hasCr) throw new MalformedReply("It sent chunks that make no sense");
        else this.#passOver();
        this.#hasCr = code === CR;
        break;
      case "chunk end":
        // At most one CR, followed by LF.
        if (code === LF) this.#state = "chunk size";
        else if (code !== CR || this.#hasCr)
          throw new MalformedReply("It sent a chunk that is longer than it says");
        this.#hasCr = code === CR;
        break;
      default:
        this.#readTrailer(code);
    }
    return at + 1;
  }

  #readSize(code: number): void {
    const digit = hexDigit(code);
    if (digit >= 0) {
      this.#bytesLeft = this.#bytesLeft * 16 + digit;
      if (this.#bytesLeft <= MAX_CHUNK_BYTES && ++this.#sizeDigits <= MAX_SIZE_DIGITS) return;
    } else if (this.#sizeDigits > 0) {
      if (code === LF) return this.#sizeRead();
      if (code === CR || code === SEMICOLON || code === SPACE || code === TAB) {
        this.#state = "chunk extension";
        this.#hasCr = code === CR;
        return;
      }
    }
    throw new MalformedReply("It sent chunks that make no sense");
  }

  #sizeRead(): void {
    this.#state = this.#bytesLeft === 0 ? "trailers" : "chunk";
    this.#sizeDigits = 0;
  }

  /** Skips trailers up to the empty line that ends the reply. */
  #readTrailer(code: number): void {
    this.#passOver();
    if (code === LF) {
      if (this.#isLineEmpty) this.#state = "over";
      this.#isLineEmpty = true;
    } else if (code !== CR) this.#isLineEmpty = false;
  }

  #passOver(): void {
    if (++this.#asideBytes > MAX_IGNORED_BYTES)
      throw new MalformedReply(`It sent more than ${MAX_IGNORED_BYTES} bytes around its chunks`);
  }
}

/**
 * Finds the head that begins at `start`, up to the first empty line; null if it is incomplete. No head ends before
 * `scannedUntil`. CRLF is tried first, since almost all lines end with it.
 */
function findHead(
  bytes: Buffer<ArrayBuffer>,
  start: number,
  scannedUntil: number,
): { text: string; end: number } | null {
  const strictEnd = bytes.indexOf(EMPTY_LINE, scannedUntil);
  const text = bytes.toString("latin1", start, strictEnd < 0 ? bytes.length : strictEnd + 2);
  const bare = BARE_EMPTY_LINE.exec(text);
  if (bare) return { text: text.slice(0, bare.index), end: start + bare.index + bare[0].length };
  return strictEnd < 0 ? null : { text, end: strictEnd + EMPTY_LINE.length };
}
