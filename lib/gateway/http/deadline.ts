/** Calls back once when nothing has renewed it in time. */
export class Deadline {
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number, onExpiry: () => void) {
    this.#timer = setTimeout(onExpiry, ms);
  }

  /** Starts the whole time anew. */
  renew(): void {
    this.#timer.refresh();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
