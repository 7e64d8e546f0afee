import type { Timers } from "../../clock";

interface Timer {
  dueMs: number;
  readonly everyMs: number | null;
  run(): void;
}

/** The timers of one process, on the simulation's clock. They run when the simulation says so. */
export class ProcessTimers implements Timers {
  #timers: Timer[] = [];

  constructor(private readonly nowMs: () => number) {}

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer: Timer = { dueMs: this.nowMs() + ms, everyMs: null, run: resolve };
      const end = () => {
        this.#stop(timer);
        resolve();
      };
      if (signal?.aborted) return end();
      signal?.addEventListener("abort", end, { once: true });
      this.#timers.push(timer);
    });
  }

  every(ms: number, act: () => void): () => void {
    const timer: Timer = { dueMs: this.nowMs() + ms, everyMs: ms, run: act };
    this.#timers.push(timer);
    return () => this.#stop(timer);
  }

  /** A timer that was due several times runs once, as after a pause of its process. */
  runDue(): void {
    const dueTimers = this.#timers.filter(({ dueMs }) => dueMs <= this.nowMs());
    this.#timers = this.#timers.filter((timer) => timer.everyMs !== null || !dueTimers.includes(timer));
    for (const timer of dueTimers) {
      if (timer.everyMs !== null) timer.dueMs = this.nowMs() + timer.everyMs;
      timer.run();
    }
  }

  #stop(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }
}
