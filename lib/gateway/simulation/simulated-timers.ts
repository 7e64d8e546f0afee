import { AsyncLocalStorage } from "node:async_hooks";

interface Timer {
  readonly dueMs: number;
  readonly owner: object;
  run(): void;
}

/**
 * Replaces the global `setTimeout` with one on the simulation's clock until disposed. Each timer belongs to a process;
 * what else runs beside the simulation, such as the end of another test, keeps the real one.
 */
export class SimulatedTimers {
  readonly #real = globalThis.setTimeout;
  readonly #acting = new AsyncLocalStorage<object>();
  #timers: Timer[] = [];

  constructor(private readonly nowMs: () => number) {
    const setTimer = (run: () => void, afterMs = 0) => {
      const owner = this.#acting.getStore();
      if (!owner) return this.#real(run, afterMs);
      this.#timers.push({ dueMs: this.nowMs() + afterMs, owner, run });
      return { unref() {}, ref() {} };
    };
    globalThis.setTimeout = setTimer as unknown as typeof setTimeout;
  }

  get size(): number {
    return this.#timers.length;
  }

  /** Assigns timers that `act` and its continuations start to a process. */
  as<Result>(process: object, act: () => Result): Result {
    return this.#acting.run(process, act);
  }

  runDue(process: object): void {
    const isDue = ({ dueMs, owner }: Timer) => owner === process && dueMs <= this.nowMs();
    const dueTimers = this.#timers.filter(isDue);
    this.#timers = this.#timers.filter((timer) => !isDue(timer));
    for (const { run } of dueTimers) this.as(process, run);
  }

  /** Drops the timers of a process that has died. */
  clear(process: object): void {
    this.#timers = this.#timers.filter(({ owner }) => owner !== process);
  }

  [Symbol.dispose](): void {
    globalThis.setTimeout = this.#real;
  }
}
