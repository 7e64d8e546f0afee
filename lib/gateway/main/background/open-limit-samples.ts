import { LimitSampler } from "../../rate-limits/limit-sampler";
import type { LimitUsageStore, LimitWindows } from "../../rate-limits/limit-usage";
import type { StoreOptions } from "../open-stores";

const POLL_MS = 5_000;

/** Samples the use of each limit every few seconds, and once more on closing. */
export function openLimitSamples(
  { effects: { clock }, logFault }: Pick<StoreOptions, "effects" | "logFault">,
  windows: LimitWindows,
  store: Pick<LimitUsageStore, "savePeaks">,
): { close(): Promise<void> } {
  const sampler = new LimitSampler(windows, store);
  const sample = () => sampler.sample(clock.nowMs()).catch((error) => logFault("use of limits", error));
  const timer = setInterval(sample, POLL_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await sample();
    },
  };
}
