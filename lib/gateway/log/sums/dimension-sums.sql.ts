import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";
import { dialectOf, sql } from "../../database/fragment";
import { upsertRows } from "../../database/upsert-rows.sql";
import { add, type Histogram, readHistogram, writeHistogram } from "../usage/usage-tally";
import { readLastWrittenMs } from "./minute-sums.sql";
import {
  addTokens,
  emptyTokens,
  listTokens,
  type SumDimension,
  TOKEN_COLUMN_NAMES,
  TOKEN_COLUMNS,
  type TokenColumns,
  type TokenSums,
} from "./sum-schema";

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
interface ValueSum {
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

const KEY = ["dimension", "width_ms", "start_ms", "value"];

function buildReplacement(table: string, figures: readonly string[]) {
  const updates = Object.fromEntries(figures.map((column) => [column, `excluded.${column}`]));
  return { table, columns: [...KEY, ...figures], key: KEY, updates };
}

const replaceSums = buildReplacement("sums_by_dimension", [
  "requests",
  "errors",
  "amount",
  ...TOKEN_COLUMN_NAMES,
]);
const replaceLatencies = buildReplacement("latencies_by_dimension", ["durations", "first_bytes"]);

/** Writes the sums of values in place of the present ones. */
export async function writeSums(
  queries: Database,
  { width, startMs }: SumPlace,
  sums: readonly ValueSum[],
): Promise<void> {
  const rows = sums.map(({ dimension, value, sum }) => {
    const key = [dimension, width, startMs, value];
    return [...key, sum.requests, sum.errors, sum.amount, ...listTokens(sum)];
  });
  await upsertRows(queries, replaceSums, rows);
  const latencies = sums.flatMap(({ dimension, value, sum: { durations, firstBytes } }) =>
    durations.size + firstBytes.size === 0
      ? []
      : [[dimension, width, startMs, value, writeHistogram(durations), writeHistogram(firstBytes)]],
  );
  await upsertRows(queries, replaceLatencies, latencies);
}

interface PresentSum extends TokenColumns {
  readonly dimension: SumDimension;
  readonly value: string;
  readonly requests: number;
  readonly errors: number;
  readonly amount: string;
  readonly durations: string | null;
  readonly first_bytes: string | null;
}

/** Adds sums to the present ones. */
export async function addToSums(
  queries: Database,
  sumPlace: SumPlace,
  sums: readonly ValueSum[],
): Promise<void> {
  const keys = sums.map(({ dimension, value }) => ({ dimension, value }));
  const given = dialectOf(queries).givenRows(keys, { dimension: "text", value: "text" });
  const { rows } = await sql<PresentSum>`
    SELECT sums.dimension, sums.value, requests, errors, cast(amount AS text) AS amount, ${sql.raw(TOKEN_COLUMNS)},
      durations, first_bytes
    FROM ${given} CROSS JOIN sums_by_dimension AS sums
    LEFT JOIN latencies_by_dimension AS latencies ON latencies.dimension = sums.dimension
      AND latencies.width_ms = sums.width_ms AND latencies.start_ms = sums.start_ms AND latencies.value = sums.value
    WHERE sums.dimension = given.dimension AND sums.value = given.value
      AND sums.width_ms = ${sumPlace.width} AND sums.start_ms = ${sumPlace.startMs}`.execute(queries);
  const nameSum = (dimension: SumDimension, value: string) => `${dimension} ${value}`;
  const present = new Map(rows.map((row) => [nameSum(row.dimension, row.value), row]));
  for (const { dimension, value, sum } of sums) {
    const row = present.get(nameSum(dimension, value));
    if (!row) continue;
    sum.requests += row.requests;
    sum.errors += row.errors;
    sum.amount += BigInt(row.amount);
    addTokens(sum, row);
    add(sum.durations, readHistogram(row.durations ?? ""));
    add(sum.firstBytes, readHistogram(row.first_bytes ?? ""));
  }
  await writeSums(queries, sumPlace, sums);
}

/** How long the sums of hours are kept: a month and a day more. Earlier ends of ranges are read from `call_sums`. */
const HOURS_KEPT_MS = 33 * DAY_MS;

/**
 * The times between which the sums of a width contain all calls of `call_sums`; they change only with `lateAdditions`.
 */
export async function dimensionsSpan(
  queries: Database,
  width: number,
): Promise<{ fromMs: number; untilMs: number; lateAdditions: number }> {
  const row = await queries
    .selectFrom("sums_by_dimension_end")
    .select(["until_ms", "late_additions"])
    .where("width_ms", "=", width)
    .executeTakeFirst();
  return {
    fromMs: dimensionsFrom(width, await readLastWrittenMs(queries)),
    untilMs: row?.until_ms ?? 0,
    lateAdditions: row?.late_additions ?? 0,
  };
}

/** A day later than they are kept, since clocks of processes may differ. */
export const dimensionsFrom = (width: number, writtenMs: number) =>
  width === HOUR_MS ? hoursKeptAt(writtenMs) + DAY_MS : 0;

/** Follows from the last written call, so that every reader gets the same. */
export const hoursKeptFrom = async (queries: Database) => hoursKeptAt(await readLastWrittenMs(queries));

function hoursKeptAt(writtenMs: number): number {
  const from = writtenMs - HOURS_KEPT_MS;
  return from - (from % DAY_MS);
}
