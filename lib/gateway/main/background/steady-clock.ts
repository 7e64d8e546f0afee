import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../../clock";

/** A larger difference between the wall clock and the monotonic one is a step. */
const STEP_MS = MINUTE_MS;
/** How long a clock that may be days off is waited for. Such clocks are usually corrected within seconds. */
const CORRECTION_MS = 10 * MINUTE_MS;

/**
 * Says whether the wall clock is trusted enough to delete by, which can't be undone. A machine may start with a clock
 * that is years off and is corrected within seconds. So nothing is deleted during the first minute; nor during the hour
 * after a step, or after a start at which the clock shows more than a day since what was stored last.
 */
export class SteadyClock {
  #offsetMs: number;
  #sinceMs: number;
  #neededMs: number;
  /** When it was last seen to differ by more than a day from what was expected; on the monotonic clock. */
  #farSinceMs = Number.NEGATIVE_INFINITY;

  /** @param lastStoredMs when something was stored last; null if nothing ever was. */
  constructor(
    private readonly clock: Clock,
    lastStoredMs: number | null,
  ) {
    const nowMs = clock.nowMs();
    this.#sinceMs = clock.monotonicMs();
    this.#offsetMs = nowMs - this.#sinceMs;
    const isNear = lastStoredMs === null || Math.abs(nowMs - lastStoredMs) <= DAY_MS;
    this.#neededMs = isNear ? MINUTE_MS : HOUR_MS;
    if (!isNear) this.#farSinceMs = this.#sinceMs;
  }

  isSteady(): boolean {
    return this.#look() - this.#sinceMs >= this.#neededMs;
  }

  /** Whether it may be days off, so that what can't be undone but shouldn't be late waits for its correction. */
  mayBeFarOff(): boolean {
    return this.#look() - this.#farSinceMs < CORRECTION_MS;
  }

  /** Compares the two clocks. @returns the time of the monotonic one. */
  #look(): number {
    const monotonicMs = this.clock.monotonicMs();
    const offsetMs = this.clock.nowMs() - monotonicMs;
    const stepMs = Math.abs(offsetMs - this.#offsetMs);
    if (stepMs > STEP_MS) {
      this.#sinceMs = monotonicMs;
      this.#neededMs = HOUR_MS;
    }
    if (stepMs > DAY_MS) this.#farSinceMs = monotonicMs;
    // Followed at each look, since the two drift apart slowly.
    this.#offsetMs = offsetMs;
    return monotonicMs;
  }
}
