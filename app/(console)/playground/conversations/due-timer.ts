import type { Timers } from "@/components/playground/conversations/open-conversation";

/** Does its work once after a delay. Starting it again before that changes nothing. */
export class DueTimer {
  #timer: number | null = null;

  constructor(
    private readonly timers: Timers,
    private readonly work: () => void,
  ) {}

  start(ms: number): void {
    this.#timer ??= this.timers.set(() => {
      this.#timer = null;
      this.work();
    }, ms);
  }

  stop(): void {
    if (this.#timer !== null) this.timers.clear(this.#timer);
    this.#timer = null;
  }
}
