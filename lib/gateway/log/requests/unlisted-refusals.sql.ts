import { setImmediate } from "node:timers/promises";
import { MINUTE_MS } from "@/lib/contract/durations";
import { errorCodes } from "@/lib/contract/errors";
import { firstIdAt } from "@/lib/contract/ids";
import type { Database } from "../../database/database";
import { type Fragment, sql } from "../../database/fragment";
import type { RequestFilter, UnlistedRefusals } from "./request-record";
import { ID_LEAD_MS, isIn } from "./request-sources.sql";

const MAX_MINUTES = 200;

/** Counters read before other requests are served; each has at most ten stored calls beside it. */
const BATCH_SIZE = 250;

interface Minutes {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How many refusals of each minute were counted but not stored individually, by the fields that both have. */
export async function readUnlistedRefusals(
  database: Database,
  filter: RequestFilter,
  { fromMs, toMs }: Minutes,
): Promise<UnlistedRefusals[]> {
  const conditions = buildRefusalConditions(filter);
  if (conditions === null) return [];
  const unlisted: UnlistedRefusals[] = [];
  for (let end = toMs; end > fromMs && unlisted.length < MAX_MINUTES; await setImmediate()) {
    const stretch = { fromMs: await findStretchStart(database, { fromMs, toMs: end }), toMs: end };
    unlisted.push(...(await readRange(database, conditions, stretch)));
    end = stretch.fromMs;
  }
  return unlisted.slice(0, MAX_MINUTES);
}

/** The minute in which a stretch of this many counters begins, from the newest on. */
async function findStretchStart(database: Database, { fromMs, toMs }: Minutes): Promise<number> {
  const { rows } = await sql<{ minute_ms: number }>`
    SELECT minute_ms FROM refusal_counts WHERE minute_ms >= ${fromMs} AND minute_ms < ${toMs}
    ORDER BY minute_ms DESC LIMIT 1 OFFSET ${BATCH_SIZE}`.execute(database);
  return rows[0]?.minute_ms ?? fromMs;
}

async function readRange(
  database: Database,
  conditions: Fragment<unknown>,
  { fromMs, toMs }: Minutes,
): Promise<UnlistedRefusals[]> {
  const { rows } = await sql<{ minute_ms: number; refusals: number }>`
    SELECT minute_ms, sum(refusals) AS refusals FROM refusal_counts WHERE minute_ms >= ${fromMs} AND minute_ms < ${toMs}
    ${conditions} GROUP BY minute_ms ORDER BY minute_ms DESC`.execute(database);
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (!newest || !oldest) return [];
  const listedCounts = await sql<{ minute_ms: number; refusals: number }>`
    SELECT at_ms - at_ms % ${MINUTE_MS} AS minute_ms, count(*) AS refusals
    FROM uncharged_calls WHERE id >= ${firstIdAt("req", Math.max(0, oldest.minute_ms - ID_LEAD_MS))}
      AND id < ${firstIdAt("req", newest.minute_ms + MINUTE_MS)} AND outcome = 'refused' ${conditions}
    GROUP BY 1`.execute(database);
  const listedByMinute = new Map(listedCounts.rows.map(({ minute_ms, refusals }) => [minute_ms, refusals]));
  return rows
    .map(({ minute_ms, refusals }) => ({
      minuteMs: minute_ms,
      refusals: refusals - (listedByMinute.get(minute_ms) ?? 0),
    }))
    .filter(({ refusals }) => refusals > 0);
}

/** The filter's conditions on refusal counters; null if none can match. */
export function buildRefusalConditions(filter: RequestFilter): Fragment<unknown> | null {
  const { outcome = "refused", minAmount = 0n, minDurationMs, requestId } = filter;
  const filtersEndedCalls = [minDurationMs, requestId, filter.batchId, filter.provider].some(
    (value) => value !== undefined,
  );
  if (outcome !== "refused" || minAmount > 0n || filtersEndedCalls) return null;
  const { projectIds, model, keyIds, refusedBy, status } = filter;
  const conditions = [
    ...(projectIds === null ? [] : [isIn(sql`project_id`, projectIds)]),
    ...(model === undefined ? [] : [sql`model = ${model}`]),
    ...(keyIds ?? []).map((id) => sql`key_id = ${id}`),
    ...(refusedBy === undefined ? [] : [sql`refused_by = ${refusedBy}`]),
    ...(status === undefined ? [] : [isIn(sql`refused_by`, listChecks(status))]),
  ];
  return sql.join(
    conditions.map((condition) => sql`AND ${condition}`),
    sql` `,
  );
}

/** The checks that answer with a status, which counters don't contain. */
function listChecks(status: number): string[] {
  const checks = Object.entries(errorCodes).filter(([, statuses]) =>
    (statuses as readonly number[]).includes(status),
  );
  return checks.map(([code]) => (code === "insufficient_balance" ? "balance" : code));
}
