import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../../effects";

/** A larger difference between the wall clock and the monotonic one is a step. */
const STEP_MS = MINUTE_MS;

/**
 * Says whether the wall clock is trusted enough to delete by, which can't be undone. A machine may start with a clock
 * that is years off and is corrected within seconds. So nothing is deleted during the first minute; nor during the hour
 * after a step, or after a start at which the clock shows more than a day since what was stored last.
 */
export class SteadyClock {
  #offsetMs: number;
  #sinceMs: number;
  #neededMs: number;

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
  }

  isSteady(): boolean {
    const monotonicMs = this.clock.monotonicMs();
    const offsetMs = this.clock.nowMs() - monotonicMs;
    if (Math.abs(offsetMs - this.#offsetMs) > STEP_MS) {
      this.#sinceMs = monotonicMs;
      this.#neededMs = HOUR_MS;
    }
    // Followed at each look, since the two drift apart slowly.
    this.#offsetMs = offsetMs;
    return monotonicMs - this.#sinceMs >= this.#neededMs;
  }
}
