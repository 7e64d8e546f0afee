import type { Database as Sqlite } from "bun:sqlite";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { add, type Histogram, readHistogram, writeHistogram } from "../usage/histogram";
import { readLastWrittenMs } from "./minute-sums.sql";
import type { SumDimension } from "./sum-schema";
import {
  addTokens,
  emptyTokens,
  listTokens,
  TOKEN_COLUMNS,
  type TokenColumns,
  type TokenSums,
} from "./token-sums";

export const sumDimensions = ["project_id", "key_id", "model", "provider"] as const satisfies SumDimension[];

/** The widths of the sums by dimension. */
export const DIMENSION_WIDTHS = [DAY_MS, HOUR_MS] as const;

/** One call, or a row of `call_sums`. */
export interface SummedCalls extends Readonly<Record<SumDimension, string>>, TokenColumns {
  readonly outcome: string;
  readonly calls: number;
  readonly amount: string;
  /** The durations and first bytes of completed calls. */
  readonly durations: Iterable<readonly [number, number]>;
  readonly firstBytes: Iterable<readonly [number, number]>;
}

interface DimensionSum extends TokenSums {
  requests: number;
  errors: number;
  amount: bigint;
  readonly durations: Histogram;
  readonly firstBytes: Histogram;
}

/** The sum of one value of a dimension. */
export interface ValueSum {
  readonly dimension: SumDimension;
  readonly value: string;
  readonly sum: DimensionSum;
}

const emptySum = (): DimensionSum => ({
  requests: 0,
  errors: 0,
  amount: 0n,
  ...emptyTokens(),
  durations: new Map(),
  firstBytes: new Map(),
});

/** Adds up calls of one hour or day by each dimension. Refused calls are in no such sum. */
export function sumByDimension(rows: Iterable<SummedCalls>): ValueSum[] {
  const sums = sumDimensions.map((dimension) => ({ dimension, byValue: new Map<string, DimensionSum>() }));
  for (const row of rows) {
    if (row.outcome === "refused") continue;
    const amount = BigInt(row.amount);
    const [durations, firstBytes] = [[...row.durations], [...row.firstBytes]];
    for (const { dimension, byValue } of sums) {
      const sum = byValue.get(row[dimension]) ?? emptySum();
      byValue.set(row[dimension], sum);
      if (row.outcome !== "unsent") sum.requests += row.calls;
      if (row.outcome === "provider_failed" || row.outcome === "interrupted") sum.errors += row.calls;
      sum.amount += amount;
      addTokens(sum, row);
      add(sum.durations, durations);
      add(sum.firstBytes, firstBytes);
    }
  }
  return sums.flatMap(({ dimension, byValue }) =>
    [...byValue].map(([value, sum]) => ({ dimension, value, sum })),
  );
}

export interface SumPlace {
  readonly width: number;
  readonly startMs: number;
}

/** Writes the sum of a value in place of the present one. */
export function writeSum(
  sqlite: Sqlite,
  { width, startMs }: SumPlace,
  { dimension, value, sum }: ValueSum,
): void {
  sqlite
    .query(
      `INSERT OR REPLACE INTO sums_by_dimension (dimension, width_ms, start_ms, value, requests, errors, amount,
         ${TOKEN_COLUMNS})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(dimension, width, startMs, value, sum.requests, sum.errors, sum.amount, ...listTokens(sum));
  if (sum.durations.size === 0 && sum.firstBytes.size === 0) return;
  sqlite
    .query(
      `INSERT OR REPLACE INTO latencies_by_dimension (dimension, width_ms, start_ms, value, durations, first_bytes)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .run(dimension, width, startMs, value, writeHistogram(sum.durations), writeHistogram(sum.firstBytes));
}

interface PresentSum extends TokenColumns {
  readonly requests: number;
  readonly errors: number;
  readonly amount: string;
  readonly durations: string | null;
  readonly first_bytes: string | null;
}

/** Adds a sum to the present one. */
export function addToSum(sqlite: Sqlite, sumPlace: SumPlace, { dimension, value, sum }: ValueSum): void {
  const present = sqlite
    .query<PresentSum, [string, number, number, string]>(
      `SELECT requests, errors, cast(amount AS text) AS amount, ${TOKEN_COLUMNS},
         durations, first_bytes
       FROM sums_by_dimension LEFT JOIN latencies_by_dimension USING (dimension, width_ms, start_ms, value)
       WHERE dimension = ? AND width_ms = ? AND start_ms = ? AND value = ?`,
    )
    .get(dimension, sumPlace.width, sumPlace.startMs, value);
  if (present) {
    sum.requests += present.requests;
    sum.errors += present.errors;
    sum.amount += BigInt(present.amount);
    addTokens(sum, present);
    add(sum.durations, readHistogram(present.durations ?? ""));
    add(sum.firstBytes, readHistogram(present.first_bytes ?? ""));
  }
  writeSum(sqlite, sumPlace, { dimension, value, sum });
}

/** How long the sums of hours are kept: a month and a day more. Earlier ends of ranges are read from `call_sums`. */
const HOURS_KEPT_MS = 33 * DAY_MS;

/**
 * The times between which the sums of a width contain all calls of `call_sums`; they change only with `lateAdditions`.
 */
export function dimensionsSpan(
  sqlite: Sqlite,
  width: number,
): { fromMs: number; untilMs: number; lateAdditions: number } {
  const row = sqlite
    .query<{ until_ms: number; late_additions: number }, [number]>(
      "SELECT until_ms, late_additions FROM sums_by_dimension_end WHERE width_ms = ?",
    )
    .get(width);
  // A day later than they are kept, since clocks of processes may differ.
  const fromMs = width === HOUR_MS ? hoursKeptFrom(sqlite) + DAY_MS : 0;
  return { fromMs, untilMs: Number(row?.until_ms ?? 0), lateAdditions: Number(row?.late_additions ?? 0) };
}

/** Follows from the last written call, so that every reader gets the same. */
export function hoursKeptFrom(sqlite: Sqlite): number {
  const from = readLastWrittenMs(sqlite) - HOURS_KEPT_MS;
  return from - (from % DAY_MS);
}
