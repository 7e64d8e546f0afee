import type { RollingWindow } from "./rolling-window";

/**
 * What calls used beyond a limit, found out when they ended. It enters the window as room becomes free there, before anything else,
 * so that over any longer time no more is used than the limit lets through.
 */
export class TokenDebt {
  #atMs: number;
  /** How long a part stays in the window after it has entered: a slot counts until its last instant. */
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

  /** Lets into the window what could enter it until now, each part at its time. @param max the limit. */
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

  /** Milliseconds until all of it has entered and `requested` has room; it has been let in until `nowMs`. */
  msUntilRoom(max: number, requested: number, nowMs: number): number {
    // First what exceeds a lowered limit leaves; then the full window empties, once for each cycle.
    const surplus = this.window.used(nowMs) - max;
    const awaited = this.amount + requested;
    const cycles = Math.ceil(awaited / max) - 1;
    return cycles * this.#cycleMs + this.window.msUntilFree(nowMs, surplus + awaited - cycles * max);
  }

  /** Skips whole cycles: a full window that is refilled as it empties is the same one cycle later. */
  #skipCycles(max: number, nowMs: number): void {
    const cycles = Math.min(Math.floor((nowMs - this.#atMs) / this.#cycleMs), Math.floor(this.amount / max));
    if (cycles < 1 || this.window.used(this.#atMs) !== max) return;
    this.window.postpone(cycles * this.#cycleMs);
    this.amount -= cycles * max;
    this.#atMs += cycles * this.#cycleMs;
  }
}
