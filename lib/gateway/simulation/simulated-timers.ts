interface Timer {
  readonly dueMs: number;
  run(): void;
}

/** `setTimeout` on the simulation's clock, in place of the global one until it is disposed. */
export class SimulatedTimers {
  readonly #real = globalThis.setTimeout;
  #timers: Timer[] = [];

  constructor(private readonly nowMs: () => number) {
    const set = (run: () => void, afterMs = 0) => {
      this.#timers.push({ dueMs: this.nowMs() + afterMs, run });
      return { unref() {}, ref() {} };
    };
    globalThis.setTimeout = set as unknown as typeof setTimeout;
  }

  get size(): number {
    return this.#timers.length;
  }

  runDue(): void {
    const due = this.#timers.filter(({ dueMs }) => dueMs <= this.nowMs());
    this.#timers = this.#timers.filter(({ dueMs }) => dueMs > this.nowMs());
    for (const { run } of due) run();
  }

  /** The process that set them is gone. */
  clear(): void {
    this.#timers = [];
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#real;
  }
}
