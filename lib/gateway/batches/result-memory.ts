const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * The memory quota of a batch's results that wait to be stored: a line starts once a result as large as the largest so
 * far would fit. Lines start in the order in which they ask. So all results before a waiting line can be stored, and
 * storing them frees memory for it.
 */
export class ResultMemory {
  #underWay = 0;
  #waitingBytes = 0;
  #largest = 0;
  readonly #queue = new Set<() => void>();

  /**
   * Waits until the result of one more line fits, or until the signal aborts. One line can always start. The caller
   * must call `fill` afterwards in both cases.
   */
  async acquire(signal: AbortSignal): Promise<void> {
    if ((this.#queue.size > 0 || !this.#fitsOneMore()) && !signal.aborted) await this.#wait(signal);
    else this.#underWay++;
  }

  /** The line has ended, and its result of this many bytes waits to be stored. */
  fill(bytes: number): void {
    this.#underWay--;
    this.#waitingBytes += bytes;
    this.#largest = Math.max(this.#largest, bytes);
    this.#startWaiting();
  }

  /** Results of this many bytes are stored, or dropped. */
  free(bytes: number): void {
    this.#waitingBytes -= bytes;
    this.#startWaiting();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const start = () => {
        signal.removeEventListener("abort", start);
        this.#queue.delete(start);
        this.#underWay++;
        resolve();
      };
      this.#queue.add(start);
      signal.addEventListener("abort", start);
    });
  }

  #fitsOneMore(): boolean {
    const expected = this.#waitingBytes + (this.#underWay + 1) * this.#largest;
    return expected <= MAX_WAITING_BYTES || this.#underWay + this.#waitingBytes === 0;
  }

  #startWaiting(): void {
    for (const start of this.#queue) {
      if (!this.#fitsOneMore()) return;
      start();
    }
  }
}
