import { MINUTE_MS } from "@/lib/contract/durations";
import type { RefusalFacts } from "@/lib/contract/errors";
import type { RequestOutcome } from "@/lib/contract/operations/calls/requests";
import { readNano } from "@/lib/money/amount";
import { type Fragment, sql } from "../../database/fragment";
import type { RequestFilter, RequestRecord } from "./request-record";

/** The longest time from a call's id to its admission: a body may take five minutes to arrive. */
export const ID_LEAD_MS = 10 * MINUTE_MS;

/**
 * A table with calls. Each call has one row in one of the tables, under its own id with another prefix; the part after
 * the prefix is its position among all calls.
 */
export interface RequestSource {
  readonly table: Fragment<unknown>;
  readonly prefix: "txn_" | "req_" | "hold_";
  readonly columns: Fragment<unknown>;
  /** When a call was admitted or refused. */
  readonly atMs: Fragment<unknown>;
  readonly amountSum: Fragment<unknown>;
  /** Null if none of its calls can match. */
  buildConditions(filter: RequestFilter): Fragment<unknown>[] | null;
}

export interface RequestRow {
  readonly place: string;
  readonly at_ms: number;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly key_id: string;
  readonly key_name: string | null;
  readonly model: string;
  readonly provider: string | null;
  readonly stream: number | null;
  readonly outcome: RequestOutcome;
  readonly status: number | null;
  readonly refused_by: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly units: number | null;
  readonly unit: string | null;
  readonly estimated_tokens: number | null;
  readonly amount: string | null;
  readonly first_byte_ms: number | null;
  readonly duration_ms: number | null;
  readonly batch_id: string | null;
  /** JSON. */
  readonly facts: string | null;
}

/** A call is made with a project's key or, in a session, by its member or admin key. */
const names = sql`(SELECT name FROM projects WHERE projects.id = call.project_id) AS project_name,
  coalesce((SELECT name FROM project_api_keys WHERE project_api_keys.id = call.key_id),
    (SELECT name FROM admin_api_keys WHERE admin_api_keys.id = call.key_id),
    (SELECT name FROM users WHERE users.id = call.key_id)) AS key_name, project_id, key_id, model, batch_id`;

const chargedCalls: RequestSource = {
  table: sql`ledger_entries`,
  prefix: "txn_",
  atMs: sql`started_at_ms`,
  amountSum: sql`cast(sum(amount) AS text)`,
  columns: sql`substr(id, 5) AS place, started_at_ms AS at_ms, ${names}, provider, stream, outcome, status, NULL AS refused_by,
    prompt_tokens, completion_tokens, cached_tokens, units, unit, estimated_tokens, cast(amount AS text) AS amount, first_byte_ms, duration_ms, NULL AS facts`,
  buildConditions(filter) {
    const { outcome, refusedBy, status, minAmount, minDurationMs } = filter;
    if (refusedBy !== undefined || outcome === "refused" || outcome === "in_progress") return null;
    return [
      sql`kind = 'charge'`,
      ...buildCommonConditions(filter),
      ...buildBatchConditions(filter),
      ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(minAmount === undefined ? [] : [sql`amount >= cast(${String(minAmount)} AS bigint)`]),
      ...(minDurationMs === undefined ? [] : [sql`duration_ms >= ${minDurationMs}`]),
    ];
  },
};

const uncharged: RequestSource = {
  table: sql`uncharged_calls`,
  prefix: "req_",
  atMs: sql`at_ms`,
  amountSum: sql`'0'`,
  columns: sql`substr(id, 5) AS place, at_ms, ${names}, provider, stream, outcome, status, refused_by, NULL AS prompt_tokens,
    NULL AS completion_tokens, NULL AS cached_tokens, NULL AS units, NULL AS unit, estimated_tokens, NULL AS amount, first_byte_ms, duration_ms, facts`,
  buildConditions(filter) {
    const { outcome, refusedBy, status, minAmount, minDurationMs } = filter;
    if ((minAmount ?? 0n) > 0n || outcome === "in_progress") return null;
    return [
      ...buildCommonConditions(filter),
      ...buildBatchConditions(filter),
      ...(outcome === undefined ? [] : [sql`outcome = ${outcome}`]),
      ...(refusedBy === undefined ? [] : [sql`refused_by = ${refusedBy}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(minDurationMs === undefined ? [] : [sql`duration_ms >= ${minDurationMs}`]),
    ];
  },
};

const underWay: RequestSource = {
  table: sql`holds`,
  prefix: "hold_",
  atMs: sql`created_at_ms`,
  amountSum: sql`'0'`,
  columns: sql`substr(id, 6) AS place, created_at_ms AS at_ms, ${names}, provider, stream, 'in_progress' AS outcome,
    NULL AS status, NULL AS refused_by, NULL AS prompt_tokens, NULL AS completion_tokens, NULL AS cached_tokens, NULL AS units, NULL AS unit,
    NULL AS estimated_tokens,
    NULL AS amount, NULL AS first_byte_ms, NULL AS duration_ms, NULL AS facts`,
  buildConditions(filter) {
    const { outcome, refusedBy, status, minAmount, minDurationMs } = filter;
    // The provider is known once it has answered.
    const isEnded = [refusedBy, status, minDurationMs, filter.provider].some((value) => value !== undefined);
    if (isEnded || (minAmount ?? 0n) > 0n || (outcome ?? "in_progress") !== "in_progress") return null;
    return [...buildCommonConditions(filter), ...buildBatchConditions(filter)];
  },
};

export const requestSources: readonly RequestSource[] = [chargedCalls, uncharged, underWay];

/** The conditions that every source, and every sum of calls, can evaluate. */
export function buildCommonConditions({
  projectIds,
  model,
  provider,
  keyIds,
}: RequestFilter): Fragment<unknown>[] {
  return [
    ...(projectIds === null ? [] : [isIn(sql`project_id`, projectIds)]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
    ...(keyIds ?? []).map((id) => sql`key_id = ${id}`),
  ];
}

/** Sums of calls don't name their batches. */
function buildBatchConditions({ batchId }: RequestFilter): Fragment<unknown>[] {
  return batchId === undefined ? [] : [sql`batch_id = ${batchId}`];
}

/** A single value uses `=`: for a list of unknown values SQLite overestimates the matches and skips the index. */
export function isIn(column: Fragment<unknown>, values: readonly string[]): Fragment<unknown> {
  if (values.length === 1) return sql`${column} = ${values[0]}`;
  if (values.length === 0) return sql`1 = 0`;
  return sql`${column} IN (${sql.join(values)})`;
}

export function toRequestRecord(row: RequestRow): RequestRecord {
  return {
    id: `req_${row.place}`,
    atMs: row.at_ms,
    projectId: row.project_id,
    projectName: row.project_name,
    keyId: row.key_id,
    keyName: row.key_name,
    model: row.model,
    provider: row.provider,
    stream: row.stream === null ? null : row.stream === 1,
    outcome: row.outcome,
    status: row.status,
    refusedBy: row.refused_by,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    cachedTokens: row.cached_tokens,
    units: row.units,
    unit: row.unit,
    estimatedTokens: row.estimated_tokens,
    amount: row.amount === null ? null : readNano(row.amount),
    firstByteMs: row.first_byte_ms,
    durationMs: row.duration_ms,
    batchId: row.batch_id,
    facts: row.facts === null ? {} : (JSON.parse(row.facts) as RefusalFacts),
  };
}
