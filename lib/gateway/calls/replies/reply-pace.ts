import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../effects";

/** A gigabit a second: about what the thread that reads long replies can parse, and a few percent of the event loop. */
const BYTES_PER_MS = 128 * 1024;
/** Reading is paused once it is this far ahead of the pace, so single long replies are not slowed down. */
const MAX_AHEAD_MS = 20;

interface ReplyPaceOptions {
  readonly monotonicMs: Clock["monotonicMs"];
  readonly wait: (delayMs: number) => Promise<void>;
}

/**
 * Limits the rate at which all long replies together are read. Each of their bytes costs time on the event loop, so
 * fast providers would delay the streams of other callers. Pieces wait their turn in the order in which they were
 * announced.
 */
export class ReplyPace {
  #paidUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: ReplyPaceOptions = {
      monotonicMs: () => performance.now(),
      wait: (delayMs) => setTimeout(delayMs),
    },
  ) {}

  /** Counts bytes of a long reply. Null where reading may go on now; otherwise resolves once it may. */
  count(bytes: number): Promise<void> | null {
    const nowMs = this.options.monotonicMs();
    const startMs = Math.max(this.#paidUntilMs, nowMs);
    this.#paidUntilMs = startMs + bytes / BYTES_PER_MS;
    const aheadMs = startMs - nowMs;
    return aheadMs <= MAX_AHEAD_MS ? null : this.options.wait(aheadMs);
  }
}
