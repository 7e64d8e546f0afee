/** A writer that makes no progress for so long has stopped, and new callers don't wait for it. */
export const STALLED_MS = 1_000;
/** The most that a batch of a slow writer is waited for: much shorter than a lease. */
const SLOW_MS = 5_000;
/** How often a batch is looked at within `STALLED_MS`. */
const LOOKS = 4;

/** How long the writer is waited for. */
export interface WriterPatience {
  readonly stalledMs: number;
  readonly slowMs: number;
}

export const usualPatience: WriterPatience = { stalledMs: STALLED_MS, slowMs: SLOW_MS };

/**
 * Tells a writer that has stopped from one on a slow machine. A look at it counts by the progress since the last one,
 * not by the clock: where looks come late, the writer has had as little time as they.
 */
export class WriterWatch {
  #sentAtMs = 0;
  #seen = 0;
  #idleLooks = 0;

  /** @param readProgress a number that changes with each step of the writer. */
  constructor(
    private readonly readProgress: () => number,
    private readonly patience: WriterPatience,
  ) {}

  /** The time between two looks. */
  get pauseMs(): number {
    return this.patience.stalledMs / LOOKS;
  }

  /** Call it when a batch is sent. */
  begin(nowMs: number): void {
    this.#sentAtMs = nowMs;
    this.#seen = this.readProgress();
    this.#idleLooks = 0;
  }

  /** Whether the writer has stopped. */
  look(nowMs: number): boolean {
    const progress = this.readProgress();
    this.#idleLooks = progress === this.#seen ? this.#idleLooks + 1 : 0;
    this.#seen = progress;
    return this.#idleLooks >= LOOKS || this.isTooLate(nowMs);
  }

  /** Whether an answer comes so late that its callers are refused, however it came about. */
  isTooLate(nowMs: number): boolean {
    return nowMs - this.#sentAtMs > this.patience.slowMs;
  }
}
