import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { add, findBucket, type Histogram, readHistogram, writeHistogram } from "./histogram";
import type { RangeQuery } from "./range-query";
import { cacheRows } from "./row-cache";
import type { Tallies } from "./sum-usage.sql";
import { readUsageParts } from "./usage-parts";

interface SumRow {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly durations: string;
  readonly first_bytes: string;
}

interface CallRow {
  readonly start_ms: number;
  readonly group_value: string | null;
  readonly duration_ms: number | null;
  readonly first_byte_ms: number | null;
}

/**
 * Adds the durations of completed calls to existing tallies. It parses each row's histogram, so request only the groups
 * that are shown.
 * @param isByBucket whether buckets get latencies, or only the whole.
 */
export function addLatencies(sqlite: Sqlite, tallies: Tallies, query: RangeQuery, isByBucket = true): void {
  const bucketAt = (startMs: number) => (isByBucket ? startMs : null);
  const groups = query.groupBy === null ? undefined : [...tallies.keys()];
  for (const part of readUsageParts(sqlite, { ...query, groups }).parts) {
    const { rows, columns, from, latenciesFrom = from, values, version, readGroup = (value) => value } = part;
    if (rows === "sums" || rows === "sums by dimension") {
      const sql = `SELECT ${columns}, durations, first_bytes ${latenciesFrom} AND durations <> ''`;
      const read = () => sqlite.query<SumRow, SQLQueryBindings[]>(sql).iterate(...values);
      const isCached = version !== undefined && !isByBucket;
      const sums = isCached ? readAdded(sqlite, JSON.stringify([sql, values]), version, read) : read();
      for (const { start_ms, group_value, durations, first_bytes } of sums) {
        const latencies = { durations: readHistogram(durations), firstBytes: readHistogram(first_bytes) };
        tallies.get(readGroup(group_value))?.addLatencies(bucketAt(start_ms), latencies);
      }
    } else if (rows === "charges") {
      const calls = sqlite.query<CallRow, SQLQueryBindings[]>(
        `SELECT ${columns}, duration_ms, first_byte_ms ${from} AND outcome = 'completed'`,
      );
      for (const { start_ms, group_value, duration_ms, first_byte_ms } of calls.iterate(...values)) {
        const latencies = { durations: once(duration_ms), firstBytes: once(first_byte_ms) };
        tallies.get(group_value)?.addLatencies(bucketAt(start_ms), latencies);
      }
    }
  }
}

/** The histograms of a row take as much memory as this many rows of a few numbers. */
const HISTOGRAM_SIZE = 30;

/**
 * The rows of finished days and hours added up to one for each value. They are cached until late calls are added to
 * them.
 */
function readAdded(
  sqlite: Sqlite,
  query: string,
  version: number,
  read: () => Iterable<SumRow>,
): readonly SumRow[] {
  const computed = { name: `latencies ${query}`, version, rowSize: HISTOGRAM_SIZE };
  return cacheRows(sqlite, computed, () => {
    const sums = new Map<string | null, { durations: Histogram; firstBytes: Histogram }>();
    for (const { group_value, durations, first_bytes } of read()) {
      const sum = sums.get(group_value) ?? { durations: new Map(), firstBytes: new Map() };
      sums.set(group_value, sum);
      add(sum.durations, readHistogram(durations));
      add(sum.firstBytes, readHistogram(first_bytes));
    }
    return [...sums].map(([group_value, { durations, firstBytes }]) => ({
      start_ms: 0,
      group_value,
      durations: writeHistogram(durations),
      first_bytes: writeHistogram(firstBytes),
    }));
  });
}

const once = (ms: number | null) => (ms === null ? [] : [[findBucket(ms), 1] as const]);
