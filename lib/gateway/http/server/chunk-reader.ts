import { hexDigit } from "../outbound/http1/hex-digit";
import { COLON, CR, isInClass, LF, SEMICOLON, TOKEN, VALUE } from "./characters";
import { malformedRequest } from "./malformed-request";

type State = "size" | "extension" | "size end" | "content" | "content end" | "trailer" | "over";

/** Enough for 4 TiB. */
const MAX_SIZE_DIGITS = 11;
/** The most that all extensions and trailers of a body have together, which are discarded. */
const MAX_ASIDE_BYTES = 16 * 1024;
const LINE_END = [CR, LF];
const EXTENSIONS = /^(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[^"\\]|\\.)*"))?)*$/;

/** Reads a body in chunks (RFC 9112, section 7.1), wherever it is cut. It keeps nothing. */
export class ChunkReader {
  #state: State = "size";
  #chunkBytesLeft = 0;
  #sizeDigits = 0;
  #asideBytes = 0;
  /** The extensions of the present size, which mean nothing here and are only checked. */
  #extension = "";
  /** How many bytes of a CRLF have arrived. */
  #lineEndBytes = 0;
  /** The part of a trailer's line that is being read. */
  #trailerPart: "start" | "name" | "value" = "start";

  /** @param onPiece receives the contents. */
  constructor(private readonly onPiece: (bytes: Buffer<ArrayBuffer>) => void) {}

  get isOver(): boolean {
    return this.#state === "over";
  }

  /**
   * Moves the contents together in place, and hands them over as one piece.
   * @returns the offset after the part that belongs to the body.
   * @throws Refusal 400 after the valid part was handed over.
   */
  read(bytes: Buffer<ArrayBuffer>, from: number): number {
    let at = from;
    const start = from;
    let end = from;
    try {
      while (at < bytes.length && !this.isOver) {
        if (this.#state !== "content") {
          this.#readFrame(bytes[at] ?? 0);
          at++;
          continue;
        }
        const size = Math.min(this.#chunkBytesLeft, bytes.length - at);
        if (end !== at) bytes.copyWithin(end, at, at + size);
        end += size;
        at += size;
        this.#chunkBytesLeft -= size;
        if (this.#chunkBytesLeft === 0) this.#state = "content end";
      }
    } finally {
      if (end > start) this.onPiece(bytes.subarray(start, end));
    }
    return at;
  }

  #readFrame(code: number): void {
    switch (this.#state) {
      case "size":
        return this.#readSize(code);
      case "extension":
        return this.#readExtension(code);
      case "size end":
        if (this.#endLine(code, this.#chunkBytesLeft === 0 ? "trailer" : "content")) this.#sizeDigits = 0;
        return;
      case "content end":
        this.#endLine(code, "size");
        return;
      default:
        this.#readTrailer(code);
    }
  }

  #readSize(code: number): void {
    const digit = hexDigit(code);
    if (digit >= 0) {
      this.#chunkBytesLeft = this.#chunkBytesLeft * 16 + digit;
      if (++this.#sizeDigits > MAX_SIZE_DIGITS) throw brokenChunks();
      return;
    }
    if (this.#sizeDigits === 0) throw brokenChunks();
    if (code === CR) this.#endLine(code, "size end");
    else if (code === SEMICOLON) {
      this.#state = "extension";
      this.#extension = ";";
    } else throw brokenChunks();
  }

  #readExtension(code: number): void {
    this.#passOver();
    if (code === CR && EXTENSIONS.test(this.#extension)) this.#endLine(code, "size end");
    else if (isInClass(code, VALUE)) this.#extension += String.fromCharCode(code);
    else throw brokenChunks();
  }

  /** Reads one byte of a CRLF. @returns true after its last one. @throws Refusal for any other byte. */
  #endLine(code: number, next: State): boolean {
    if (code !== LINE_END[this.#lineEndBytes]) throw brokenChunks();
    this.#lineEndBytes++;
    // The CR of a size belongs to the line that "size end" completes.
    if (next === "size end") this.#state = next;
    if (this.#lineEndBytes < LINE_END.length) return false;
    this.#lineEndBytes = 0;
    this.#state = next;
    return true;
  }

  /** Discards trailers, which are headers behind the body, up to the empty line that ends it. */
  #readTrailer(code: number): void {
    this.#passOver();
    const part = this.#trailerPart;
    if (this.#lineEndBytes > 0 || (code === CR && part !== "name")) {
      if (!this.#endLine(code, "trailer")) return;
      if (part === "start") this.#state = "over";
      this.#trailerPart = "start";
      return;
    }
    if (part !== "value" && isInClass(code, TOKEN)) this.#trailerPart = "name";
    else if (part === "name" && code === COLON) this.#trailerPart = "value";
    else if (part !== "value" || !isInClass(code, VALUE)) throw brokenChunks();
  }

  #passOver(): void {
    if (++this.#asideBytes > MAX_ASIDE_BYTES)
      throw malformedRequest(
        `The body's chunk extensions and trailers are longer than ${MAX_ASIDE_BYTES / 1024} KiB. Send fewer.`,
      );
  }
}

function brokenChunks() {
  return malformedRequest("The body's chunks are malformed. Send them as RFC 9112, section 7.1, describes.");
}
