import type { RollingWindow } from "./rolling-window";

/**
 * Tokens that calls used beyond a limit, known only when they ended. They enter the window as soon as it has room,
 * before any new call, so that the long-term use never exceeds the limit.
 */
export class TokenDebt {
  #atMs: number;
  /** How long an amount stays in the window after it has entered: until the last instant of its slot. */
  readonly #cycleMs: number;

  constructor(
    private readonly window: RollingWindow,
    private amount: number,
    nowMs: number,
  ) {
    this.#atMs = nowMs;
    this.#cycleMs = window.windowMs + window.slotMs;
  }

  get left(): number {
    return this.amount;
  }

  add(amount: number): void {
    this.amount += amount;
  }

  /** Moves into the window what could have entered until now, each part at its time. @param max the limit. */
  enter(max: number, nowMs: number): void {
    for (let wait = 0; this.amount > 0 && this.#atMs + wait <= nowMs; ) {
      this.#atMs += wait;
      const room = max - this.window.used(this.#atMs);
      const entering = Math.min(room, this.amount);
      if (entering > 0) this.window.add(this.#atMs, entering);
      if (entering > 0) this.amount -= entering;
      if (max > 0) this.#skipCycles(max, nowMs);
      wait = Math.max(1, this.window.msUntilFree(this.#atMs, 1));
    }
    this.#atMs = nowMs;
  }

  /** Milliseconds until the whole debt has entered and `requested` has room. Call `enter` with `nowMs` first. */
  msUntilRoom(max: number, requested: number, nowMs: number): number {
    // First the excess over a lowered limit leaves; then the full window empties once per cycle.
    const surplus = this.window.used(nowMs) - max;
    const awaited = this.amount + requested;
    const cycles = Math.ceil(awaited / max) - 1;
    return cycles * this.#cycleMs + this.window.msUntilFree(nowMs, surplus + awaited - cycles * max);
  }

  /** Skips whole cycles: a full window that refills as it empties looks the same one cycle later. */
  #skipCycles(max: number, nowMs: number): void {
    const cycles = Math.min(Math.floor((nowMs - this.#atMs) / this.#cycleMs), Math.floor(this.amount / max));
    if (cycles < 1 || this.window.used(this.#atMs) !== max) return;
    this.window.postpone(cycles * this.#cycleMs);
    this.amount -= cycles * max;
    this.#atMs += cycles * this.#cycleMs;
  }
}
