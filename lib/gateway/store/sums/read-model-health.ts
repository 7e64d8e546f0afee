import type { Database as Sqlite } from "bun:sqlite";
import { HOUR_MS } from "@/lib/contract/durations";
import { add, bucketMiddleMs, estimateQuantiles, type Histogram, readHistogram } from "../../usage/histogram";
import type { ModelHealth } from "../../usage/model-health";

interface Row {
  readonly model: string;
  readonly outcome: string;
  readonly calls: number;
  readonly completion_tokens: number;
  readonly durations: string;
  readonly first_bytes: string;
}

interface Tally {
  calls: number;
  errors: number;
  completedTokens: number;
  readonly durations: Histogram;
  readonly firstBytes: Histogram;
}

/** The outcomes of each model's calls since the hour of `fromMs`, from the hourly sums. */
export function readModelHealth(sqlite: Sqlite, fromMs: number): ModelHealth[] {
  const rows = sqlite.query<Row, [number, number]>(
    `SELECT model, outcome, calls, completion_tokens, durations, first_bytes FROM call_sums
     WHERE width_ms = ? AND start_ms >= ? AND outcome NOT IN ('refused', 'unsent')`,
  );
  const tallies = new Map<string, Tally>();
  for (const row of rows.iterate(HOUR_MS, fromMs - (fromMs % HOUR_MS))) {
    const tally = tallies.get(row.model) ?? emptyTally();
    tallies.set(row.model, tally);
    tally.calls += row.calls;
    if (row.outcome === "provider_failed") tally.errors += row.calls;
    if (row.outcome !== "completed") continue;
    tally.completedTokens += row.completion_tokens;
    add(tally.durations, readHistogram(row.durations));
    add(tally.firstBytes, readHistogram(row.first_bytes));
  }
  return [...tallies].map(([model, tally]) => {
    const [firstByteP50Ms = null, firstByteP95Ms = null] = estimateQuantiles(tally.firstBytes, [0.5, 0.95]);
    return {
      model,
      calls: tally.calls,
      errors: tally.errors,
      firstByteP50Ms,
      firstByteP95Ms,
      tokensPerSecond: computeSpeed(tally),
    };
  });
}

const emptyTally = (): Tally => ({
  calls: 0,
  errors: 0,
  completedTokens: 0,
  durations: new Map(),
  firstBytes: new Map(),
});

/** From the first byte to the last; null if that took no time. */
function computeSpeed({ completedTokens, durations, firstBytes }: Tally): number | null {
  const ms = sumMilliseconds(durations) - sumMilliseconds(firstBytes);
  return ms <= 0 || completedTokens === 0 ? null : Math.round((completedTokens * 1000) / ms);
}

function sumMilliseconds(histogram: Histogram): number {
  let ms = 0;
  for (const [bucket, count] of histogram) ms += bucketMiddleMs(bucket) * count;
  return ms;
}
