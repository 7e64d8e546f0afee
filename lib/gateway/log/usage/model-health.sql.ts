import { HOUR_MS } from "@/lib/contract/durations";
import { type Database, readSnapshot } from "../../database/database";
import { sql } from "../../database/fragment";
import { dimensionsSpan } from "../sums/dimension-sums.sql";
import { cacheRows } from "./row-cache";
import { add, computeBucketMiddleMs, estimateQuantiles, type Histogram, readHistogram } from "./usage-tally";

/** The recent outcomes of one model's calls. */
export interface ModelHealth {
  readonly model: string;
  /** Calls that reached a provider. */
  readonly calls: number;
  /** How many of `calls` the provider failed. */
  readonly errors: number;
  /**
   * The median and the 95th percentile of the time to the first byte of completed calls, to a precision of a sixteenth.
   */
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
  /** The speed of completed calls after the first byte; null if that took no time. */
  readonly tokensPerSecond: number | null;
}

export interface ModelHealthReader {
  /** Since the hour of `fromMs`. Calls of the last few seconds may not be summed yet. */
  modelHealth(fromMs: number): Promise<ModelHealth[]>;
}

interface Counts {
  readonly model: string;
  readonly outcome: string;
  readonly calls: number;
  readonly completion_tokens: number;
}

interface Latencies {
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
export function readModelHealth(queries: Database, fromMs: number): Promise<ModelHealth[]> {
  return readSnapshot(queries, (snapshot) => describeHealth(snapshot, fromMs - (fromMs % HOUR_MS)));
}

async function describeHealth(queries: Database, fromMs: number): Promise<ModelHealth[]> {
  const { untilMs, lateAdditions } = await dimensionsSpan(queries, HOUR_MS);
  const foldedUntilMs = Math.max(fromMs, untilMs);
  const finished = await cacheRows(
    queries,
    { name: `model health ${fromMs} ${foldedUntilMs}`, version: lateAdditions },
    async () => [...(await tallyFolded(queries, fromMs, foldedUntilMs))],
  );
  const tallies = new Map(finished.map(([model, tally]) => [model, copyTally(tally)]));
  for (const row of await readSums(queries, foldedUntilMs)) {
    const tally = findTally(tallies, row.model);
    addCounts(tally, row);
    if (row.outcome === "completed") addLatencies(tally, row);
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

type Tallies = Map<string, Tally>;

/** Tallies hours whose latencies are summed by model: 200 rows an hour instead of some thousand. */
async function tallyFolded(queries: Database, fromMs: number, untilMs: number): Promise<Tallies> {
  const tallies: Tallies = new Map();
  const counts = await sql<Counts>`
    SELECT model, outcome, sum(calls) AS calls, sum(completion_tokens) AS completion_tokens FROM call_sums
    WHERE width_ms = ${sql.lit(HOUR_MS)} AND start_ms >= ${fromMs} AND start_ms < ${untilMs}
      AND outcome NOT IN ('refused', 'unsent') GROUP BY 1, 2`.execute(queries);
  for (const row of counts.rows) addCounts(findTally(tallies, row.model), row);
  const latencies = await sql<Latencies & { model: string }>`
    SELECT value AS model, durations, first_bytes FROM latencies_by_dimension
    WHERE dimension = 'model' AND width_ms = ${sql.lit(HOUR_MS)} AND start_ms >= ${fromMs}
      AND start_ms < ${untilMs}`.execute(queries);
  for (const row of latencies.rows) addLatencies(findTally(tallies, row.model), row);
  return tallies;
}

async function readSums(queries: Database, fromMs: number): Promise<(Counts & Latencies)[]> {
  const { rows } = await sql<Counts & Latencies>`
    SELECT model, outcome, calls, completion_tokens, durations, first_bytes FROM call_sums
    WHERE width_ms = ${sql.lit(HOUR_MS)} AND start_ms >= ${fromMs} AND outcome NOT IN ('refused', 'unsent')`.execute(
    queries,
  );
  return rows;
}

function findTally(tallies: Tallies, model: string): Tally {
  const tally = tallies.get(model) ?? emptyTally();
  tallies.set(model, tally);
  return tally;
}

function addCounts(tally: Tally, { outcome, calls, completion_tokens }: Counts): void {
  tally.calls += calls;
  if (outcome === "provider_failed") tally.errors += calls;
  if (outcome === "completed") tally.completedTokens += completion_tokens;
}

function addLatencies(tally: Tally, { durations, first_bytes }: Latencies): void {
  add(tally.durations, readHistogram(durations));
  add(tally.firstBytes, readHistogram(first_bytes));
}

const copyTally = (tally: Tally): Tally => ({
  ...tally,
  durations: new Map(tally.durations),
  firstBytes: new Map(tally.firstBytes),
});

const emptyTally = (): Tally => ({
  calls: 0,
  errors: 0,
  completedTokens: 0,
  durations: new Map(),
  firstBytes: new Map(),
});

/** The tokens per second from the first byte to the last; null if that took no time. */
function computeSpeed({ completedTokens, durations, firstBytes }: Tally): number | null {
  const ms = sumMilliseconds(durations) - sumMilliseconds(firstBytes);
  return ms <= 0 || completedTokens === 0 ? null : Math.round((completedTokens * 1000) / ms);
}

function sumMilliseconds(histogram: Histogram): number {
  let ms = 0;
  for (const [bucket, count] of histogram) ms += computeBucketMiddleMs(bucket) * count;
  return ms;
}
