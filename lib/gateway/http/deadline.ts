/** Calls back once when nothing has renewed it in time. */
export class Deadline {
  #timer: ReturnType<typeof setTimeout>;

  constructor(
    private ms: number,
    private readonly onExpiry: () => void,
  ) {
    this.#timer = setTimeout(onExpiry, ms);
  }

  /** Starts the whole time anew, or another. */
  renew(ms = this.ms): void {
    if (ms === this.ms) {
      this.#timer.refresh();
      return;
    }
    this.clear();
    this.ms = ms;
    this.#timer = setTimeout(this.onExpiry, ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
