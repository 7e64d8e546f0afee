import { firstIdAt } from "@/lib/contract/ids";
import type { RequestAttempt } from "@/lib/contract/operations/calls/receipt-parts";
import type { TokenUsage } from "@/lib/money/charge";
import type { Database } from "../../database/database";
import { sql } from "../../database/fragment";
import { readAudioTokens, readClassUsage } from "../../ledger/ledger-row";
import { readReceiptDetails } from "../requests/receipt-details";

/** The most calls, of all models, that are read. */
const MAX_READ = 50_000;

/** A call that was sent to a provider, or tried to. */
export interface RoutedCall {
  /** `req_…`. */
  readonly id: string;
  readonly atMs: number;
  readonly isAnswered: boolean;
  readonly firstByteMs: number | null;
  readonly durationMs: number | null;
  /** What it is charged for; null of a call that was not answered. */
  readonly usage: TokenUsage | null;
  readonly attempts: readonly RequestAttempt[];
}

export interface RoutedCalls {
  /** From when on all calls are there: later than was asked for where there are too many. */
  readonly sinceMs: number;
  /** Newest first. */
  readonly calls: readonly RoutedCall[];
}

interface Row {
  readonly id: string;
  readonly at_ms: number;
  readonly model: string;
  readonly outcome: string;
  readonly first_byte_ms: number | null;
  readonly duration_ms: number | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly units: number | null;
  readonly audio: string | null;
  readonly classes: string | null;
  readonly trace: string | null;
}

/** The ended calls of a model since a time, as far back as the newest calls of all models go. */
export async function readRoutedCalls(
  database: Database,
  model: string,
  fromMs: number,
  max = MAX_READ,
): Promise<RoutedCalls> {
  const { rows: charged } = await sql<Row>`
    SELECT id, started_at_ms AS at_ms, model, outcome, first_byte_ms, duration_ms, prompt_tokens, completion_tokens,
      cached_tokens, units, audio, classes, trace
    FROM ledger_entries WHERE kind = 'charge' AND id >= ${firstIdAt("txn", fromMs)} AND id < 'txn_~'
    ORDER BY id DESC LIMIT ${max}`.execute(database);
  const { rows: uncharged } = await sql<Row>`
    SELECT id, at_ms, model, outcome, first_byte_ms, duration_ms, NULL AS prompt_tokens, NULL AS completion_tokens,
      NULL AS cached_tokens, NULL AS units, NULL AS audio, NULL AS classes, trace
    FROM uncharged_calls WHERE outcome = 'provider_failed' AND id >= ${firstIdAt("req", fromMs)} AND id < 'req_~'
    ORDER BY id DESC LIMIT ${max}`.execute(database);
  const sinceMs = Math.max(fromMs, ...[charged, uncharged].map((rows) => findOldest(rows, max)));
  const calls = [...charged, ...uncharged]
    .filter((row) => row.model === model && row.at_ms >= sinceMs)
    .map(toCall)
    .toSorted((one, other) => other.atMs - one.atMs);
  return { sinceMs, calls };
}

/** When the oldest of the rows began, where older ones may have been left out. */
function findOldest(rows: readonly Row[], max: number): number {
  return rows.length < max ? 0 : (rows.at(-1)?.at_ms ?? 0);
}

function toCall(row: Row): RoutedCall {
  return {
    id: `req_${row.id.slice(row.id.indexOf("_") + 1)}`,
    atMs: row.at_ms,
    isAnswered: row.outcome !== "provider_failed",
    firstByteMs: row.first_byte_ms,
    durationMs: row.duration_ms,
    usage: readUsage(row),
    attempts: readReceiptDetails(row.trace).attempts,
  };
}

function readUsage(row: Row): TokenUsage | null {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, cached_tokens, units } = row;
  if (promptTokens === null || completionTokens === null) return null;
  return {
    promptTokens,
    completionTokens,
    ...(units !== null && { units }),
    ...(cached_tokens !== null && { cachedTokens: cached_tokens }),
    ...readAudioTokens(row.audio),
    ...readClassUsage(row.classes),
  };
}
