import { type CarriedMeasure, carriedMeasures, type Measure } from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { Database } from "../database/database";
import { sql } from "../database/fragment";
import { type CarriedColumn, carriedColumns } from "../ledger/ledger-row";
import { ID_LEAD_MS } from "../log/requests/request-sources.sql";
import { windowSlots } from "./rolling-window";

/** A project's use of a model in one slot of the limits' windows, with the time of its last call. */
interface PastSlot extends Readonly<Record<Measure, number>> {
  readonly projectId: string;
  readonly model: string;
  readonly atMs: number;
}

type PastRow = Record<CarriedColumn, number> & {
  project_id: string;
  model: string;
  last_ms: number;
  requests: number;
  tokens: number;
  batch_tokens: number;
};

const columns = carriedMeasures.map((measure) => carriedColumns[measure]);
const sums = sql.raw(columns.map((column) => `sum(${column}) AS ${column}`).join(", "));
const noneCarried = sql.raw(columns.map((column) => `0 AS ${column}`).join(", "));
const carried = sql.raw(columns.join(", "));
const countedTokens = sql.raw("coalesce(counted_tokens, prompt_tokens + completion_tokens)");

/**
 * The calls of the last `withinMs` that reached a provider, summed by slots of the limits' windows, oldest first. A
 * call counts from its start; its tokens beyond the estimate count from its end, when they became known. Open calls of
 * other processes, past or present, count with their maximum.
 */
export async function readPastCalls(
  database: Database,
  nowMs: number,
  withinMs: number,
): Promise<PastSlot[]> {
  const since = nowMs - withinMs;
  const firstId = (prefix: "txn" | "req") => firstIdAt(prefix, Math.max(0, since - ID_LEAD_MS));
  // By ids, which sort by time and are indexed.
  const { rows } = await sql<PastRow>`
    SELECT project_id, model, max(at_ms) AS last_ms, sum(requests) AS requests, sum(tokens) AS tokens,
      sum(batch_tokens) AS batch_tokens, ${sums}
    FROM (
      SELECT project_id, model, started_at_ms AS at_ms, 1 AS requests,
        min(${countedTokens}, estimated_tokens) AS tokens, 0 AS batch_tokens, ${noneCarried}
      FROM ledger_entries WHERE kind = 'charge' AND id >= ${firstId("txn")}
      UNION ALL
      SELECT project_id, model, created_at_ms, 0, ${countedTokens} - estimated_tokens, 0, ${noneCarried}
      FROM ledger_entries
      WHERE kind = 'charge' AND id >= ${firstId("txn")} AND ${countedTokens} > estimated_tokens
      UNION ALL
      SELECT project_id, model, at_ms, 1, 0, 0, ${noneCarried} FROM uncharged_calls
      WHERE id >= ${firstId("req")} AND outcome NOT IN ('refused', 'unsent')
      UNION ALL
      SELECT project_id, model, created_at_ms, 1, prompt_tokens + max_completion_tokens, 0, ${noneCarried} FROM holds
      UNION ALL
      SELECT project_id, model, at_ms, 0, 0, 0, ${carried} FROM carried_media
      UNION ALL
      SELECT project_id, model, created_at_ms, 1, 0, counted_tokens, ${noneCarried}
      FROM batches WHERE created_at_ms > ${since}
    )
    WHERE at_ms > ${since}
    GROUP BY project_id, model, at_ms / iif(at_ms > ${nowMs - 2 * MINUTE_MS}, ${windowSlots.minute.slotMs}, ${windowSlots.day.slotMs})
    ORDER BY last_ms`.execute(database);
  return rows.map((row) => ({
    projectId: row.project_id,
    model: row.model,
    atMs: row.last_ms,
    requests: row.requests,
    tokens: row.tokens,
    batchInputTokens: row.batch_tokens,
    ...pickCarried(row),
  }));
}

function pickCarried(row: PastRow): Record<CarriedMeasure, number> {
  const amounts = carriedMeasures.map((measure) => [measure, row[carriedColumns[measure]]]);
  return Object.fromEntries(amounts) as Record<CarriedMeasure, number>;
}
