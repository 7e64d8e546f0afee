import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { createQueryBuilder, type Database } from "../../database/database";
import { type Dialect, dialectOf, sql } from "../../database/fragment";
import { openSqlite } from "../../database/open-sqlite";
import { upsertRows } from "../../database/upsert-rows.sql";
import { readLastEntrySeq } from "../../ledger/reads/read-spent.sql";
import { add, findBucket, type Histogram, readHistogram, writeHistogram } from "../usage/usage-tally";
import { claimSums } from "./claim-sums.sql";
import { addLateCalls, foldDimensions } from "./fold-dimensions.sql";
import { cutMinutes, minutesKeptFrom, noteDeletedMinute } from "./minute-sums.sql";
import {
  addTokens,
  emptyTokens,
  listTokens,
  TOKEN_COLUMN_NAMES,
  type TokenColumns,
  type TokenSums,
} from "./sum-schema";

/**
 * A connection for the sums of calls only. A power loss may undo sums, which are then computed again, so commits don't
 * wait for the disk. While the ledger's writer is busy, they wait for the next time.
 */
export function openSums(path: string): Database {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = NORMAL");
  sqlite.run("PRAGMA busy_timeout = 0");
  // The ledger's writer folds this connection's log into the database, on its own thread.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return createQueryBuilder(sqlite);
}

const WIDTHS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;

/** Calls per step: a few milliseconds, during which the ledger's writer may have to wait. */
export const SUMMING_BATCH_SIZE = 100;

interface Call extends TokenColumns {
  readonly at_ms: number;
  readonly project_id: string;
  readonly key_id: string;
  readonly model: string;
  readonly provider: string;
  readonly outcome: string;
  readonly status: number;
  readonly refused_by: string;
  readonly amount: string;
  readonly first_byte_ms: number | null;
  readonly duration_ms: number | null;
}

/** The sum of calls of one kind and one time range. */
interface Sum extends TokenSums {
  readonly startMs: number;
  readonly call: Call;
  calls: number;
  amount: bigint;
  maxAmount: bigint;
  maxDurationMs: number;
  readonly durations: Histogram;
  readonly firstBytes: Histogram;
}

const buildChargesQuery = ({ jsonNumber }: Dialect, from: number, to: number) => sql<Call>`
  SELECT started_at_ms AS at_ms, project_id, key_id, model, coalesce(provider, '') AS provider, outcome, status,
    '' AS refused_by, cast(amount AS text) AS amount, prompt_tokens, completion_tokens,
    coalesce(cached_tokens, 0) AS cached_tokens,
    coalesce(${jsonNumber(sql`audio`, "prompt_tokens")}, 0) AS audio_prompt_tokens,
    coalesce(${jsonNumber(sql`audio`, "completion_tokens")}, 0) AS audio_completion_tokens, first_byte_ms, duration_ms
  FROM ledger_entries WHERE seq > ${from} AND seq <= ${to} AND kind = 'charge'`;

const buildOthersQuery = ({ isListed }: Dialect, ids: readonly string[]) => sql<Call>`
  SELECT at_ms, project_id, key_id, model, coalesce(provider, '') AS provider, outcome, status,
    coalesce(refused_by, '') AS refused_by, '0' AS amount, 0 AS prompt_tokens, 0 AS completion_tokens,
    0 AS cached_tokens, 0 AS audio_prompt_tokens, 0 AS audio_completion_tokens, first_byte_ms, duration_ms
  FROM uncharged_calls WHERE ${isListed(sql`id`, ids)}`;

/** A table of sums, with the columns besides the time that identify its rows. */
interface SumTable {
  readonly name: "call_sums" | "call_totals";
  readonly columns: Readonly<Partial<Record<keyof Call, "text" | "integer">>>;
}

const kind = { outcome: "text", status: "integer", refused_by: "text" } as const;
const tables: readonly SumTable[] = [
  {
    name: "call_sums",
    columns: { project_id: "text", key_id: "text", model: "text", provider: "text", ...kind },
  },
  { name: "call_totals", columns: kind },
];

/**
 * Adds new calls to the sums by minute, hour and day in small steps, and when there are none, computes the sums by
 * dimension. It awaits `pause` after each step, which returns whether to continue. Sums and progress change in one
 * transaction, so that a crash neither loses nor doubles a call.
 */
export async function sumCalls(
  queries: Database,
  pause: () => Promise<boolean>,
  batchSize: () => number = () => SUMMING_BATCH_SIZE,
): Promise<void> {
  const folding = foldDimensions(queries);
  const next = async () =>
    (await sumNext(queries, batchSize())) || !(await folding.next()).done || (await cutMinutes(queries));
  while ((await next()) && (await pause()));
}

/** @returns false if there was nothing to sum. */
async function sumNext(queries: Database, batchSize: number): Promise<boolean> {
  const last = await readLastEntrySeq(queries);
  const noted = await queries.selectFrom("unsummed_calls").select("id").limit(1).executeTakeFirst();
  if ((await findLastSummedEntry(queries)) >= last && !noted) return false;
  await queries.transaction().execute(async (transaction) => {
    await claimSums(transaction);
    // Read again in this transaction, where the progress and the calls are consistent.
    const from = await findLastSummedEntry(transaction);
    const to = Math.min(from + batchSize, Math.max(last, from));
    const dialect = dialectOf(transaction);
    const { rows: charges } = await buildChargesQuery(dialect, from, to).execute(transaction);
    const ids = await listUnsummed(transaction, batchSize);
    const { rows: others } = await buildOthersQuery(dialect, ids).execute(transaction);
    await addCalls(transaction, [...charges, ...others]);
    await transaction.updateTable("call_sums_end").set({ seq: to }).execute();
    await transaction.deleteFrom("unsummed_calls").where(dialect.isListed(sql`id`, ids)).execute();
  });
  return true;
}

async function listUnsummed(queries: Database, limit: number): Promise<string[]> {
  const rows = await queries.selectFrom("unsummed_calls").select("id").orderBy("id").limit(limit).execute();
  return rows.map(({ id }) => id);
}

async function addCalls(queries: Database, calls: readonly Call[]): Promise<void> {
  const minutesFrom = await minutesKeptFrom(queries);
  const expiredMs = calls.flatMap(({ at_ms }) => (at_ms < minutesFrom ? [at_ms] : []));
  if (expiredMs.length > 0) await noteDeletedMinute(queries, Math.max(...expiredMs));
  for (const width of WIDTHS) {
    const summedCalls = width === MINUTE_MS ? calls.filter(({ at_ms }) => at_ms >= minutesFrom) : calls;
    for (const table of tables) {
      const sums = [...sumBy(summedCalls, width, table).values()];
      if (sums.length > 0) await addSums(queries, table, width, sums);
    }
  }
  await addLateCalls(queries, calls.map(toSummed));
}

function toSummed(call: Call) {
  const isMeasured = call.outcome === "completed";
  return {
    ...call,
    calls: 1,
    durations: once(isMeasured ? call.duration_ms : null),
    firstBytes: once(isMeasured ? call.first_byte_ms : null),
  };
}

const once = (ms: number | null) => (ms === null ? [] : [[findBucket(ms), 1] as const]);

function sumBy(calls: readonly Call[], width: number, table: SumTable): Map<string, Sum> {
  const columns = listKey(table);
  const sums = new Map<string, Sum>();
  for (const call of calls) {
    const startMs = call.at_ms - (call.at_ms % width);
    const name = JSON.stringify([startMs, ...columns.map((column) => call[column])]);
    const sum = sums.get(name) ?? emptySum(startMs, call);
    sums.set(name, sum);
    const amount = BigInt(call.amount);
    sum.calls++;
    sum.amount += amount;
    if (amount > sum.maxAmount) sum.maxAmount = amount;
    sum.maxDurationMs = Math.max(sum.maxDurationMs, call.duration_ms ?? 0);
    addTokens(sum, call);
    // The duration of an aborted call says nothing about how long answers take.
    if (call.outcome !== "completed") continue;
    add(sum.durations, once(call.duration_ms));
    add(sum.firstBytes, once(call.first_byte_ms));
  }
  return sums;
}

const emptySum = (startMs: number, call: Call): Sum => ({
  startMs,
  call,
  calls: 0,
  amount: 0n,
  maxAmount: 0n,
  maxDurationMs: 0,
  ...emptyTokens(),
  durations: new Map(),
  firstBytes: new Map(),
});

/** The columns besides the time that identify a table's rows. */
const listKey = ({ columns }: SumTable) => Object.keys(columns) as (keyof Call)[];

const FIGURES = ["calls", "amount", "max_amount", "max_duration_ms", ...TOKEN_COLUMN_NAMES];
const HISTOGRAMS = ["durations", "first_bytes"];

/** Histograms are added up already, and empty if nothing is to be added. */
function buildUpsert(table: SumTable) {
  const key = ["width_ms", "start_ms", ...listKey(table)];
  const combine = (column: string) => {
    const [present, added] = [`${table.name}.${column}`, `excluded.${column}`];
    if (HISTOGRAMS.includes(column)) return `CASE WHEN ${added} = '' THEN ${present} ELSE ${added} END`;
    if (!column.startsWith("max_")) return `${present} + ${added}`;
    return `CASE WHEN ${added} > ${present} THEN ${added} ELSE ${present} END`;
  };
  const figures = [...FIGURES, ...HISTOGRAMS];
  const updates = Object.fromEntries(figures.map((column) => [column, combine(column)]));
  return { table: table.name, columns: [...key, ...figures], key, updates };
}

const upserts = new Map(tables.map((table) => [table, buildUpsert(table)]));

/** Adds sums to those of the same time and kind. */
async function addSums(
  queries: Database,
  table: SumTable,
  width: number,
  sums: readonly Sum[],
): Promise<void> {
  await addPresentLatencies(queries, table, width, sums);
  const rows = sums.map((sum) => [
    width,
    sum.startMs,
    ...listKey(table).map((column) => sum.call[column]),
    sum.calls,
    sum.amount,
    sum.maxAmount,
    sum.maxDurationMs,
    ...listTokens(sum),
    writeHistogram(sum.durations),
    writeHistogram(sum.firstBytes),
  ]);
  const upsert = upserts.get(table);
  if (upsert) await upsertRows(queries, upsert, rows);
}

function listKeyValues(table: SumTable, { startMs, call }: Sum) {
  const values = Object.fromEntries(listKey(table).map((column) => [column, call[column]]));
  return { start_ms: startMs, ...values };
}

/** Adds the histograms of the stored rows to sums that have some. */
async function addPresentLatencies(
  queries: Database,
  table: SumTable,
  width: number,
  sums: readonly Sum[],
): Promise<void> {
  const measured = sums.filter(({ durations, firstBytes }) => durations.size > 0 || firstBytes.size > 0);
  if (measured.length === 0) return;
  const given = dialectOf(queries).givenRows(
    measured.map((sum, index) => ({ place: index, ...listKeyValues(table, sum) })),
    { place: "integer", start_ms: "integer", ...table.columns },
  );
  const isSame = ["start_ms", ...listKey(table)].map(
    (column) => sql`present.${sql.ref(column)} = given.${sql.ref(column)}`,
  );
  const { rows } = await sql<{ place: number; durations: string; first_bytes: string }>`
    SELECT given.place, present.durations, present.first_bytes
    FROM ${given} CROSS JOIN ${sql.table(table.name)} AS present
    WHERE present.width_ms = ${sql.lit(width)} AND ${sql.join(isSame, sql` AND `)}`.execute(queries);
  for (const { place, durations, first_bytes } of rows) {
    const sum = measured[place];
    if (!sum) continue;
    add(sum.durations, readHistogram(durations));
    add(sum.firstBytes, readHistogram(first_bytes));
  }
}

/** The last entry in the sums. */
export async function findLastSummedEntry(queries: Database): Promise<number> {
  const row = await queries.selectFrom("call_sums_end").select("seq").executeTakeFirst();
  return row?.seq ?? 0;
}
