import type { SQLQueryBindings, Database as Sqlite } from "bun:sqlite";
import { findBucket, readHistogram } from "../../usage/histogram";
import type { RangeQuery } from "./range-query";
import type { Tallies } from "./sum-usage";
import { readUsageParts } from "./usage-parts";

interface SumRow {
  readonly start_ms: number;
  readonly of: string | null;
  readonly durations: string;
  readonly first_bytes: string;
}

interface CallRow {
  readonly start_ms: number;
  readonly of: string | null;
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
    const { rows, columns, from, latenciesFrom = from, values, readGroup = (of) => of } = part;
    if (rows === "sums" || rows === "sums by dimension") {
      const sums = sqlite.query<SumRow, SQLQueryBindings[]>(
        `SELECT ${columns}, durations, first_bytes ${latenciesFrom} AND durations <> ''`,
      );
      for (const { start_ms, of, durations, first_bytes } of sums.iterate(...values)) {
        const latencies = { durations: readHistogram(durations), firstBytes: readHistogram(first_bytes) };
        tallies.get(readGroup(of))?.addLatencies(bucketAt(start_ms), latencies);
      }
    } else if (rows === "charges") {
      const calls = sqlite.query<CallRow, SQLQueryBindings[]>(
        `SELECT ${columns}, duration_ms, first_byte_ms ${from} AND outcome = 'completed'`,
      );
      for (const { start_ms, of, duration_ms, first_byte_ms } of calls.iterate(...values)) {
        const latencies = { durations: once(duration_ms), firstBytes: once(first_byte_ms) };
        tallies.get(of)?.addLatencies(bucketAt(start_ms), latencies);
      }
    }
  }
}

const once = (ms: number | null) => (ms === null ? [] : [[findBucket(ms), 1] as const]);
