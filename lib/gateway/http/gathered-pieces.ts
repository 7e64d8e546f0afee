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
