import { setTimeout as rest } from "node:timers/promises";
import { isBusy, openSums } from "../store/open-sums";
import { lastEntryOf, SUMMED_AT_ONCE, sumCalls } from "../store/sum-calls";
import { databasePath } from "./open-store-file";
import type { StoreOptions } from "./open-stores";

/** How often it is looked for calls that are not summed, and the rest between two steps of summing them. */
const LOOK_MS = 5_000;
const REST_MS = 25;
/** Charges between two looks, beyond which calls come first and the sums wait for a calmer time. */
const MOST_CALM = 1_000;

/** Sums calls by the hour and day in the background. */
export function openCallSums({ dataFolder, logFault }: Pick<StoreOptions, "dataFolder" | "logFault">): {
  close(): Promise<void>;
} {
  const sqlite = openSums(databasePath(dataFolder));
  const closing = new AbortController();
  let underWay: Promise<void> | null = null;
  /** Goes on unless more calls came in meanwhile than a step sums. */
  const pause = async () => {
    const before = lastEntryOf(sqlite);
    await rest(REST_MS, undefined, { signal: closing.signal }).catch(() => {});
    return !closing.signal.aborted && lastEntryOf(sqlite) - before <= SUMMED_AT_ONCE;
  };
  let lastSeq = lastEntryOf(sqlite);
  const sum = () => {
    const seq = lastEntryOf(sqlite);
    const isCalm = seq - lastSeq < MOST_CALM;
    lastSeq = seq;
    if (!isCalm) return;
    underWay ??= sumCalls(sqlite, pause)
      // The writer is at work: they are summed another time.
      .catch((error: unknown) => {
        if (!isBusy(error)) logFault("sums of calls", error);
      })
      .finally(() => {
        underWay = null;
      });
  };
  sum();
  const timer = setInterval(sum, LOOK_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      await underWay;
      sqlite.close();
    },
  };
}
