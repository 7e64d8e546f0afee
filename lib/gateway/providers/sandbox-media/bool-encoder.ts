const CERTAIN = 2 ** 32;

/** Encodes bits by their probabilities with VP8's arithmetic code (RFC 6386, section 7.3). */
export class BoolEncoder {
  #bytes: number[] = [];
  #range = 255;
  #bottom = 0;
  #bitsLeft = 24;

  /** `probability` is that of a zero, out of 256. */
  bit(value: boolean, probability: number): void {
    const split = 1 + (((this.#range - 1) * probability) >> 8);
    if (value) {
      this.#bottom += split;
      this.#range -= split;
      if (this.#bottom >= CERTAIN) {
        this.#carry();
        this.#bottom -= CERTAIN;
      }
    } else this.#range = split;
    while (this.#range < 128) {
      this.#range *= 2;
      this.#shift();
    }
  }

  /** An unsigned number of `bits` bits, most significant first. */
  number(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) this.bit(((value >> bit) & 1) === 1, 128);
  }

  /** Ends the partition. */
  finish(): Uint8Array<ArrayBuffer> {
    for (let bit = 0; bit < 32; bit++) this.#shift();
    return Uint8Array.from(this.#bytes);
  }

  #shift(): void {
    if (this.#bottom >= CERTAIN / 2) {
      this.#carry();
      this.#bottom -= CERTAIN / 2;
    }
    this.#bottom *= 2;
    if (--this.#bitsLeft > 0) return;
    this.#bytes.push(Math.floor(this.#bottom / 2 ** 24));
    this.#bottom %= 2 ** 24;
    this.#bitsLeft = 8;
  }

  #carry(): void {
    let last = this.#bytes.length - 1;
    while (this.#bytes[last] === 255) this.#bytes[last--] = 0;
    if (last >= 0) this.#bytes[last] = (this.#bytes[last] ?? 0) + 1;
  }
}
