const FIRST_BLOCK_BYTES = 16 * 1024;
const BLOCK_BYTES = 256 * 1024;

/**
 * Collects an arriving body in blocks. Many tiny pieces would take many times their size, and copying them all at the end
 * would block the event loop. The first piece is kept as it is, since most bodies have only one.
 */
export class GatheredPieces {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  #block: Uint8Array<ArrayBuffer> | null = null;
  #used = 0;
  bytes = 0;

  add(piece: Uint8Array<ArrayBuffer>): void {
    if (this.bytes === 0) this.#pieces.push(piece);
    else this.#copy(piece);
    this.bytes += piece.byteLength;
  }

  /** The whole body. Call it once, after the last piece. */
  end(): readonly Uint8Array<ArrayBuffer>[] {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#used));
    return this.#pieces;
  }

  #copy(piece: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < piece.byteLength; ) {
      const block = this.#freeBlock();
      const part = piece.subarray(at, at + block.byteLength - this.#used);
      block.set(part, this.#used);
      this.#used += part.byteLength;
      at += part.byteLength;
    }
  }

  #freeBlock(): Uint8Array<ArrayBuffer> {
    if (this.#block && this.#used < this.#block.byteLength) return this.#block;
    if (this.#block) this.#pieces.push(this.#block);
    this.#used = 0;
    this.#block = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.bytes)));
    return this.#block;
  }
}
