const MAX_RECORDED_BYTES = 1024 * 1024;

/** Collects a reply that is stored for repeats. A reply that is too long is dropped. */
export class ReplyRecorder {
  #text: string | null = "";
  #bytes = 0;

  /** The bytes must end at a character boundary. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > MAX_RECORDED_BYTES) this.#text = null;
    if (this.#text === null) return;
    this.#text += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  }

  get text(): string | null {
    return this.#text;
  }
}

/** Encoded in base64, they are as long as the longest text that is stored for repeats. */
const MAX_BYTES = 768 * 1024;
/** A media type with any parameters. An event stream that begins with `data:` continues with JSON, not with a type. */
const STORED = /^data:(\w+\/[^{\n]+?);base64,/;

/** Collects a reply that isn't JSON, to store it for repeats as a data URL. Drops a reply that is too long. */
export class BinaryReplyRecorder {
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;

  constructor(private readonly contentType: string) {}

  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MAX_BYTES) this.#pieces = null;
    this.#pieces?.push(new Uint8Array(piece));
  }

  /** Null for a reply that is too long. */
  get text(): string | null {
    return this.#pieces
      ? `data:${this.contentType};base64,${Buffer.concat(this.#pieces).toString("base64")}`
      : null;
  }
}

/** Returns a stored reply that isn't JSON; null for one that is stored as its text. */
export function readStoredBytes(
  stored: string,
): { contentType: string; bytes: Uint8Array<ArrayBuffer> } | null {
  const [head, contentType] = STORED.exec(stored) ?? [];
  if (head === undefined || contentType === undefined) return null;
  return { contentType, bytes: new Uint8Array(Buffer.from(stored.slice(head.length), "base64")) };
}
