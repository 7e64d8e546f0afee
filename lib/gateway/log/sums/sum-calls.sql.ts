import { SQLiteError, type Database as Sqlite } from "bun:sqlite";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openSqlite } from "../../database/open-sqlite";
import { readLastEntrySeq } from "../../ledger/reads/read-spent.sql";
import { add, findBucket, type Histogram, readHistogram, writeHistogram } from "../usage/histogram";
import { addLateCalls, foldDimensions } from "./fold-dimensions.sql";
import { cutMinutes, minutesKeptFrom, noteDeletedMinute } from "./minute-sums.sql";
import {
  addTokens,
  emptyTokens,
  listTokens,
  TOKEN_COLUMNS,
  type TokenColumns,
  type TokenSums,
} from "./token-sums";

/**
 * A connection for the sums of calls only. A power loss may undo sums, which are then computed again, so commits don't
 * wait for the disk. While the ledger's writer is busy, they wait for the next time.
 */
export function openSums(path: string): Sqlite {
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = NORMAL");
  sqlite.run("PRAGMA busy_timeout = 0");
  // The ledger's writer folds this connection's log into the database, on its own thread.
  sqlite.run("PRAGMA wal_autocheckpoint = 0");
  return sqlite;
}

/** Whether another connection was writing. */
export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "").startsWith("SQLITE_BUSY");
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

const CHARGES = `SELECT started_at_ms AS at_ms, project_id, key_id, model, coalesce(provider, '') AS provider, outcome, status, '' AS refused_by,
  cast(amount AS text) AS amount, prompt_tokens, completion_tokens,
  coalesce(cached_tokens, 0) AS cached_tokens, coalesce(audio ->> 'prompt_tokens', 0) AS audio_prompt_tokens,
  coalesce(audio ->> 'completion_tokens', 0) AS audio_completion_tokens, first_byte_ms, duration_ms
  FROM ledger_entries WHERE seq > ? AND seq <= ? AND kind = 'charge'`;
const NOTED = "SELECT id FROM unsummed_calls ORDER BY id LIMIT ?";
const OTHERS = `SELECT at_ms, project_id, key_id, model, coalesce(provider, '') AS provider, outcome, status, coalesce(refused_by, '') AS refused_by,
  '0' AS amount, 0 AS prompt_tokens, 0 AS completion_tokens, 0 AS cached_tokens, 0 AS audio_prompt_tokens,
  0 AS audio_completion_tokens, first_byte_ms, duration_ms
  FROM uncharged_calls WHERE id IN (${NOTED})`;

/** A table of sums, with the columns besides the time that identify its rows. */
interface SumTable {
  readonly name: "call_sums" | "call_totals";
  readonly columns: readonly (keyof Call)[];
}

const kind = ["outcome", "status", "refused_by"] as const;
const tables: readonly SumTable[] = [
  { name: "call_sums", columns: ["project_id", "key_id", "model", "provider", ...kind] },
  { name: "call_totals", columns: kind },
];

/**
 * Adds new calls to the sums by minute, hour and day in small steps, and when there are none, computes the sums by
 * dimension. It awaits `pause` after each step, which returns whether to continue. Sums and progress change in one
 * transaction, so that a crash neither loses nor doubles a call.
 */
export async function sumCalls(
  sqlite: Sqlite,
  pause: () => Promise<boolean>,
  batchSize: () => number = () => SUMMING_BATCH_SIZE,
): Promise<void> {
  const folding = foldDimensions(sqlite);
  const next = () => sumNext(sqlite, batchSize()) || !folding.next().done || cutMinutes(sqlite);
  while (next() && (await pause()));
}

/** @returns false if there was nothing to sum. */
function sumNext(sqlite: Sqlite, batchSize: number): boolean {
  const last = readLastEntrySeq(sqlite);
  const isNoted = sqlite.query("SELECT 1 FROM unsummed_calls LIMIT 1").get() !== null;
  if (findLastSummedEntry(sqlite) >= last && !isNoted) return false;
  sqlite
    .transaction(() => {
      // Read again in this transaction, where the progress and the calls are consistent.
      const from = findLastSummedEntry(sqlite);
      const to = Math.min(from + batchSize, Math.max(last, from));
      const calls = sqlite.query<Call, [number, number]>(CHARGES).all(from, to);
      calls.push(...sqlite.query<Call, [number]>(OTHERS).all(batchSize));
      addToSums(sqlite, calls);
      sqlite.query("UPDATE call_sums_end SET seq = ?").run(to);
      sqlite.query(`DELETE FROM unsummed_calls WHERE id IN (${NOTED})`).run(batchSize);
    })
    .immediate();
  return true;
}

function addToSums(sqlite: Sqlite, calls: readonly Call[]): void {
  const minutesFrom = minutesKeptFrom(sqlite);
  const expiredMs = calls.flatMap(({ at_ms }) => (at_ms < minutesFrom ? [at_ms] : []));
  if (expiredMs.length > 0) noteDeletedMinute(sqlite, Math.max(...expiredMs));
  for (const width of WIDTHS) {
    const summedCalls = width === MINUTE_MS ? calls.filter(({ at_ms }) => at_ms >= minutesFrom) : calls;
    for (const table of tables) {
      for (const sum of sumBy(summedCalls, width, table.columns).values()) upsert(sqlite, table, width, sum);
    }
  }
  addLateCalls(sqlite, calls.map(toSummed));
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

function sumBy(calls: readonly Call[], width: number, columns: readonly (keyof Call)[]): Map<string, Sum> {
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

function upsert(sqlite: Sqlite, { name: table, columns }: SumTable, width: number, sum: Sum): void {
  const keyValues = [width, sum.startMs, ...columns.map((column) => sum.call[column])];
  const names = ["width_ms", "start_ms", ...columns];
  if (sum.durations.size > 0 || sum.firstBytes.size > 0) {
    const present = sqlite
      .query<{ durations: string; first_bytes: string }, typeof keyValues>(
        `SELECT durations, first_bytes FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(" AND ")}`,
      )
      .get(...keyValues);
    add(sum.durations, readHistogram(present?.durations ?? ""));
    add(sum.firstBytes, readHistogram(present?.first_bytes ?? ""));
  }
  sqlite
    .query(
      `INSERT INTO ${table} (${names.join(", ")}, calls, amount, max_amount, max_duration_ms, ${TOKEN_COLUMNS},
         durations, first_bytes)
       VALUES (${names.map(() => "?").join(", ")}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (${names.join(", ")}) DO UPDATE SET calls = calls + excluded.calls, amount = amount + excluded.amount,
         max_amount = max(max_amount, excluded.max_amount), max_duration_ms = max(max_duration_ms, excluded.max_duration_ms),
         prompt_tokens = prompt_tokens + excluded.prompt_tokens,
         completion_tokens = completion_tokens + excluded.completion_tokens,
         cached_tokens = cached_tokens + excluded.cached_tokens,
         audio_prompt_tokens = audio_prompt_tokens + excluded.audio_prompt_tokens,
         audio_completion_tokens = audio_completion_tokens + excluded.audio_completion_tokens,
         durations = iif(excluded.durations = '', durations, excluded.durations),
         first_bytes = iif(excluded.first_bytes = '', first_bytes, excluded.first_bytes)`,
    )
    .run(
      ...keyValues,
      sum.calls,
      sum.amount,
      sum.maxAmount,
      sum.maxDurationMs,
      ...listTokens(sum),
      writeHistogram(sum.durations),
      writeHistogram(sum.firstBytes),
    );
}

/** The last entry in the sums. */
export function findLastSummedEntry(sqlite: Sqlite): number {
  return sqlite.query<{ seq: number }, []>("SELECT seq FROM call_sums_end").get()?.seq ?? 0;
}
