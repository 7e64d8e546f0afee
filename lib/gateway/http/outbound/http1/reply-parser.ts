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

const FOLDS = /\r?\n[ \t]+/g;

/** The server sent something that is not HTTP/1.1, or is ambiguous. The message begins with "It sent …". */
export class MalformedReply extends Error {}

/** What ends a body: the head, a length, the last chunk, or the end of the connection. */
type Framing = "none" | "length" | "chunked" | "close";

/** A reply's status line and headers. */
export class ReplyHead {
  framing: Framing = "close";
  /** The length of the body, if the framing is a length. */
  length = 0;
  /** The content coding; null for none. */
  coding: string | null = null;
  /** Whether the connection may be reused. */
  isPersistent: boolean;
  /** For how long the peer keeps an idle connection open; null if it doesn't say. */
  keptMs: number | null = null;

  constructor(
    readonly status: number,
    readonly isHttp11: boolean,
    private readonly fields: string,
  ) {
    this.isPersistent = isHttp11;
  }

  /** @param name in lower case. The values of a repeated header are joined as a list. */
  header(name: string): string | null {
    if (!fieldPattern(name).test(this.fields)) return null;
    const values: string[] = [];
    eachField(this.fields, (start, colon, end) => {
      if (colon - start !== name.length || this.fields.slice(start, colon).toLowerCase() !== name) return;
      values.push(this.fields.slice(colon + 1, end).trim());
    });
    return values.length === 0 ? null : values.join(", ");
  }
}

const fieldsByName = new Map<string, RegExp>();

/**
 * Returns a cached pattern that tests cheaply whether a header may be present. The gateway requests few names, and most
 * are absent.
 */
function fieldPattern(name: string): RegExp {
  let field = fieldsByName.get(name);
  if (!field) fieldsByName.set(name, (field = new RegExp(`^${RegExp.escape(name)}:`, "im")));
  return field;
}

/**
 * Parses a head by RFC 9112. It is strict wherever two parsers could disagree about the body's end.
 * @param text status line and headers as Latin-1, without the final empty line.
 * @throws MalformedReply
 */
function parseHead(text: string): ReplyHead {
  if (text.includes("\0")) throw new MalformedReply("It sent a head with a zero byte");
  // A folded line is joined to its predecessor with a blank (section 5.2).
  const lines = text.includes("\n ") || text.includes("\n\t") ? text.replace(FOLDS, " ") : text;
  const lineEnd = lines.indexOf("\n");
  const fields = lineEnd < 0 ? "" : lines.slice(lineEnd + 1);
  const head = parseStatusLine(lineEnd < 0 ? lines : lines.slice(0, lineEnd), fields);
  const framing: FramingFields = { length: null, coding: null };
  eachField(fields, (start, colon, end) => {
    if (!LENGTHS_OF_READ_NAMES.has(colon - start)) return;
    readField(head, framing, fields.slice(start, colon).toLowerCase(), fields.slice(colon + 1, end).trim());
  });
  frame(head, framing);
  return head;
}

interface FramingFields {
  length: string | null;
  coding: string | null;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [^\r\n]*)?\r?$/;

function parseStatusLine(line: string, fields: string): ReplyHead {
  const [, minor, status] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined) throw new MalformedReply("It sent no status line of HTTP/1.1");
  return new ReplyHead(Number(status), minor === "1", fields);
}

/**
 * @param visit receives the offsets of each field's start, colon and end.
 * @throws MalformedReply for a line that is not a field.
 */
function eachField(fields: string, visit: (start: number, colon: number, end: number) => void): void {
  for (let at = 0; at < fields.length; ) {
    const lf = fields.indexOf("\n", at);
    const end = lf < 0 ? fields.length : lf;
    const last = fields.charCodeAt(end - 1) === CR ? end - 1 : end;
    const colon = fields.indexOf(":", at);
    if (colon <= at || colon >= last || isBlank(fields.charCodeAt(colon - 1)))
      throw new MalformedReply("It sent a header line that is none");
    const cr = fields.indexOf("\r", at);
    if (cr >= 0 && cr < last) throw new MalformedReply("It sent a carriage return within a header");
    visit(at, colon, last);
    at = end + 1;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** A head has about twenty fields and only these are needed, so their lengths rule out most others. */
const READ_NAMES = ["connection", "keep-alive", "content-length", "content-encoding", "transfer-encoding"];
const LENGTHS_OF_READ_NAMES = new Set(READ_NAMES.map(({ length }) => length));

function readField(head: ReplyHead, framing: FramingFields, name: string, value: string): void {
  switch (name) {
    case "connection":
      if (value.toLowerCase().includes("close")) head.isPersistent = false;
      break;
    case "keep-alive": {
      const seconds = /\btimeout=(\d{1,6})/i.exec(value)?.[1];
      if (seconds !== undefined) head.keptMs = Number(seconds) * 1_000;
      break;
    }
    case "content-length":
      if (framing.length !== null && framing.length !== value)
        throw new MalformedReply("It sent two lengths of one reply");
      framing.length = value;
      break;
    case "content-encoding":
      if (value.toLowerCase() !== "identity") head.coding = value.toLowerCase();
      break;
    case "transfer-encoding":
      framing.coding = framing.coding === null ? value.toLowerCase() : `${framing.coding}, ${value}`;
  }
}

/** Section 6.3. */
function frame(head: ReplyHead, { length, coding }: FramingFields): void {
  if (head.status < 200 || head.status === 204 || head.status === 304) head.framing = "none";
  else if (coding !== null) {
    if (length !== null) throw new MalformedReply("It sent a reply in chunks that has a length too");
    if (coding !== "chunked")
      throw new MalformedReply("It sent a reply in a transfer coding that is not known");
    if (!head.isHttp11) throw new MalformedReply("It sent chunks by HTTP/1.0");
    head.framing = "chunked";
  } else if (length !== null) {
    head.framing = "length";
    head.length = parseLength(length);
  } else head.isPersistent = false;
}

const LENGTH = /^\d{1,15}$/;

/** A repeated length is accepted if all of its values are equal. */
function parseLength(value: string): number {
  if (LENGTH.test(value)) return Number(value);
  const [first = "", ...otherValues] = value.split(",").map((one) => one.trim());
  if (!LENGTH.test(first) || otherValues.some((other) => other !== first))
    throw new MalformedReply("It sent a length that is none");
  return Number(first);
}

/** The value of a hexadecimal digit; -1 for any other character. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
