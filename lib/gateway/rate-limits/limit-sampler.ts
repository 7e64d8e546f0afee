import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS } from "@/lib/contract/durations";
import type { LimitPeak, LimitUsageStore, LimitWindows } from "./limit-usage";
import { readUsageInBatches } from "./read-usage-in-batches";

/** Samples the use of each limit and stores the peak of each hour. Calls are not involved. */
export class LimitSampler {
  #hour = -1;
  /** The peaks of this hour. */
  readonly #peaks = new Map<string, number>();
  #underWay: Promise<void> | null = null;

  constructor(
    private readonly windows: LimitWindows,
    private readonly store: Pick<LimitUsageStore, "savePeaks">,
  ) {}

  /** Samples every limit once. Concurrent callers share one sample. */
  sample(nowMs: number): Promise<void> {
    this.#underWay ??= this.#sample(nowMs).finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #sample(nowMs: number): Promise<void> {
    this.#beginHour(Math.floor(nowMs / HOUR_MS));
    for await (const uses of readUsageInBatches(this.windows, this.windows.touched())) {
      const risenPeaks = uses.flatMap(({ projectId, model, used }) =>
        rateLimitFields
          .map((field): LimitPeak => ({ projectId, model, field, peak: used[field] }))
          .filter((peak) => this.#raisePeak(peak)),
      );
      if (risenPeaks.length > 0) this.store.savePeaks(nowMs, risenPeaks);
    }
  }

  #raisePeak({ projectId, model, field, peak }: LimitPeak): boolean {
    const key = `${projectId} ${field} ${model}`;
    if (peak <= (this.#peaks.get(key) ?? 0)) return false;
    this.#peaks.set(key, peak);
    return true;
  }

  #beginHour(hour: number): void {
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#peaks.clear();
  }
}
