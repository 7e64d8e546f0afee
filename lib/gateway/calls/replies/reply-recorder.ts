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
