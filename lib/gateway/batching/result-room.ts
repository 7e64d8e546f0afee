const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Bounds the memory of a batch's results that wait to be stored: a line starts once a result as large as the largest so far would fit. */
export class ResultRoom {
  #underWay = 0;
  #waitingBytes = 0;
  #largest = 0;
  #wake: (() => void)[] = [];

  /** Waits for room for the result of one more line. One line can always start. */
  async enter(): Promise<void> {
    while (!this.#hasRoom()) await new Promise<void>((resolve) => this.#wake.push(resolve));
    this.#underWay++;
  }

  /** The line has ended, and its result waits to be stored. */
  leave(bytes: number): void {
    this.#underWay--;
    this.#waitingBytes += bytes;
    this.#largest = Math.max(this.#largest, bytes);
    this.#wakeAll();
  }

  /** Results are stored, or dropped. */
  finishStoring(bytes: number): void {
    this.#waitingBytes -= bytes;
    this.#wakeAll();
  }

  #hasRoom(): boolean {
    const expected = this.#waitingBytes + (this.#underWay + 1) * this.#largest;
    return expected <= MAX_WAITING_BYTES || this.#underWay + this.#waitingBytes === 0;
  }

  #wakeAll(): void {
    const wakeWaiting = this.#wake;
    this.#wake = [];
    for (const wake of wakeWaiting) wake();
  }
}
