import type { LimitWindows, PairUsage, ProjectModelPair } from "./limit-usage";

/** Pairs of project and model that are read before other requests are served: a tenth of a millisecond. */
const BATCH_SIZE = 200;

/** The present use of the limits of pairs, a few at a time, so that no call waits for all of them. */
export async function* readUsageInBatches(
  windows: Pick<LimitWindows, "readUsage">,
  pairs: readonly ProjectModelPair[],
): AsyncGenerator<readonly PairUsage[]> {
  for (let from = 0; from < pairs.length; from += BATCH_SIZE) {
    if (from > 0) await new Promise(setImmediate);
    yield await windows.readUsage(pairs.slice(from, from + BATCH_SIZE));
  }
}
