const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Bounds the memory of a batch's results that wait to be stored: a line starts once a result as large as the largest so
 * far would fit. Lines enter in the order in which they ask. So all results before a waiting line can be stored, which
 * makes room for it.
 */
export class ResultRoom {
  #underWay = 0;
  #waitingBytes = 0;
  #largest = 0;
  readonly #queue = new Set<() => void>();

  /**
   * Waits for room for the result of one more line, or until the signal aborts. One line can always start. The caller
   * must call `leave` afterwards in both cases.
   */
  async enter(signal: AbortSignal): Promise<void> {
    if ((this.#queue.size > 0 || !this.#hasRoom()) && !signal.aborted) await this.#wait(signal);
    else this.#underWay++;
  }

  /** The line has ended, and its result waits to be stored. */
  leave(bytes: number): void {
    this.#underWay--;
    this.#waitingBytes += bytes;
    this.#largest = Math.max(this.#largest, bytes);
    this.#letIn();
  }

  /** Results are stored, or dropped. */
  finishStoring(bytes: number): void {
    this.#waitingBytes -= bytes;
    this.#letIn();
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

  #hasRoom(): boolean {
    const expected = this.#waitingBytes + (this.#underWay + 1) * this.#largest;
    return expected <= MAX_WAITING_BYTES || this.#underWay + this.#waitingBytes === 0;
  }

  #letIn(): void {
    for (const start of this.#queue) {
      if (!this.#hasRoom()) return;
      start();
    }
  }
}
