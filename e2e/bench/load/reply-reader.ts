const LINE_FEED = 10;
const LINE_END_BYTES = 2;
const ZERO = 48;
const CAPITAL_A = 65;
/** Enough bytes to tell whether a reply is whole. */
const TAIL_BYTES = 16;

/**
 * Reads HTTP/1.1 replies from a connection, one after another, at the least cost (RFC 9112; no trailers, no
 * extensions).
 */
export class ReplyReader {
  status = 0;
  /** Whether the server closes the connection after this reply. */
  closes = false;
  /** Whether a byte of the body has arrived. */
  hasBody = false;
  /** The last bytes of the body. */
  tail = "";
  private head = "";
  private isInHead = true;
  private isChunked = false;
  private isLastChunk = false;
  /** Bytes until the end of the body, or of the chunk with its line end; negative within a chunk's size line. */
  private left = 0;
  private chunkSize = 0;

  /** Prepares for the next reply. */
  reset(): void {
    this.status = 0;
    this.closes = false;
    this.hasBody = false;
    this.tail = "";
    this.head = "";
    this.isInHead = true;
    this.isLastChunk = false;
    this.chunkSize = 0;
  }

  /** @returns whether the reply is complete. */
  read(bytes: Buffer): boolean {
    const at = this.isInHead ? this.readHead(bytes) : 0;
    if (this.isInHead) return false;
    return this.isChunked ? this.readChunks(bytes, at) : this.readLength(bytes, at);
  }

  /** @returns where the body begins in these bytes. */
  private readHead(bytes: Buffer): number {
    const before = this.head.length;
    this.head += bytes.toString("latin1");
    const end = this.head.indexOf("\r\n\r\n");
    if (end < 0) return bytes.length;
    const head = this.head.slice(0, end).toLowerCase();
    this.status = Number(head.slice(9, 12));
    this.closes = head.includes("\r\nconnection: close");
    this.isChunked = head.includes("\r\ntransfer-encoding: chunked");
    this.left = this.isChunked ? -1 : Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    this.isInHead = false;
    return end + 4 - before;
  }

  private readLength(bytes: Buffer, at: number): boolean {
    this.left -= bytes.length - at;
    this.keepTail(bytes, at, bytes.length);
    return this.left <= 0;
  }

  private readChunks(bytes: Buffer, start: number): boolean {
    let at = start;
    while (at < bytes.length) {
      if (this.left < 0) {
        at = this.readSize(bytes, at);
        continue;
      }
      const taken = Math.min(this.left, bytes.length - at);
      this.keepTail(bytes, at, at + Math.min(taken, this.left - LINE_END_BYTES));
      at += taken;
      this.left -= taken;
      if (this.left > 0) continue;
      if (this.isLastChunk) return true;
      this.left = -1;
    }
    return false;
  }

  /** Reads a hexadecimal number and its line end, which may be split across calls. */
  private readSize(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LINE_FEED) {
        this.isLastChunk = this.chunkSize === 0;
        this.left = this.chunkSize + LINE_END_BYTES;
        this.chunkSize = 0;
        return at + 1;
      }
      // '0'-'9' come before 'A', and both cases of a letter have the same low bits. The carriage return is below '0'.
      if (byte >= ZERO)
        this.chunkSize = this.chunkSize * 16 + (byte < CAPITAL_A ? byte - ZERO : (byte & 7) + 9);
    }
    return bytes.length;
  }

  private keepTail(bytes: Buffer, start: number, end: number): void {
    if (end <= start) return;
    this.hasBody = true;
    const added = bytes.toString("latin1", Math.max(start, end - TAIL_BYTES), end);
    this.tail = added.length >= TAIL_BYTES ? added : (this.tail + added).slice(-TAIL_BYTES);
  }
}
