import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { firstIdAt } from "@/lib/contract/ids";
import type { Database } from "../../database/database";
import { type Fragment, sql } from "../../database/fragment";
import { ID_LEAD_MS, isIn } from "../../log/requests/request-sources.sql";
import type { ProjectModelPair } from "../project-model-windows";
import type { Arrival } from "./replay-pair";

/** Rows read before other work is done. */
const READ_AT_ONCE = 5_000;
/** Beyond this many projects the calls of all are read. */
const MAX_NAMED = 50;
/** Half a gigabyte of memory. */
const MAX_ARRIVALS = 3_000_000;

interface CallRow {
  readonly id: string;
  readonly project_id: string;
  readonly model: string;
  readonly key_id: string;
  readonly at_ms: number;
  readonly end_ms: number | null;
  readonly estimated: number;
  readonly counted: number;
  readonly outcome: string;
}

/** The calls of pairs, each pair's by time, and what the log doesn't say of them. */
interface PastArrivals {
  readonly byPair: ReadonlyMap<string, Arrival[]>;
  /** Refusals that were counted in a minute of which none was stored. */
  refusalsWithoutTime: number;
  /** Stored refusals, and those beside them, whose use is only estimated. */
  refusals: number;
}

export const pairKey = ({ projectId, model }: ProjectModelPair) => `${projectId}/${model}`;

const limitCodes = sql.join(rateLimitFields.map((field) => sql.lit(field)));

/**
 * Reads the calls that limits decided about between two times, and those of a day before, which fill the windows. Null
 * if these are too many to keep in memory.
 */
export async function readArrivals(
  database: Database,
  pairs: readonly ProjectModelPair[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  pause: () => Promise<void>,
  report: (share: number) => void = () => {},
): Promise<PastArrivals | null> {
  const byPair = new Map<string, Arrival[]>(pairs.map((pair) => [pairKey(pair), []]));
  const projects = [...new Set(pairs.map(({ projectId }) => projectId))];
  const inProjects = projects.length > MAX_NAMED ? sql`` : sql`AND ${isIn(sql`project_id`, projects)}`;
  const span = { fromMs: fromMs - DAY_MS, toMs };
  const found: PastArrivals = { byPair, refusalsWithoutTime: 0, refusals: 0 };
  let kept = 0;
  // Charges are most of them, and both are read in the order of time.
  const goOn = (first: number, width: number) => (atMs: number) => {
    report(first + width * Math.min(1, Math.max(0, (atMs - span.fromMs) / (toMs - span.fromMs))));
    return pause();
  };
  const add = (row: CallRow, arrival: Arrival) => {
    const arrivals = byPair.get(pairKey({ projectId: row.project_id, model: row.model }));
    if (!arrivals) return;
    arrivals.push(arrival);
    kept++;
  };
  for await (const row of readInSteps(database, buildCharges(inProjects), "txn", span, goOn(0, 0.8))) {
    add(row, toArrival(row));
    if (kept > MAX_ARRIVALS) return null;
  }
  const samples = new Map<string, Arrival[]>();
  for await (const row of readInSteps(database, buildUncharged(inProjects), "req", span, goOn(0.8, 0.2))) {
    const arrival = toArrival(row);
    add(row, arrival);
    if (arrival.wasRefused) addTo(samples, buildMinuteKey(row, row.outcome), arrival);
  }
  for (const row of await readBatches(database, inProjects, span)) add(row, toArrival(row));
  await addUnlisted(database, inProjects, { fromMs, toMs }, samples, found);
  for (const arrivals of byPair.values()) {
    arrivals.sort((one, other) => one.atMs - other.atMs);
    await pause();
  }
  return found;
}

/** An outcome that is a limit's name is that of a refusal by this limit. */
function toArrival(row: CallRow): Arrival {
  const wasRefused = (rateLimitFields as readonly string[]).includes(row.outcome);
  const isBatch = row.outcome === "batch";
  return {
    atMs: row.at_ms,
    endMs: wasRefused ? null : row.end_ms,
    estimated: isBatch ? 0 : row.estimated,
    counted: row.counted,
    isSent: row.outcome !== "unsent",
    batchTokens: isBatch ? row.estimated : 0,
    wasRefused,
    times: 1,
    keyId: row.key_id,
    requestId: isBatch ? null : `req_${row.id}`,
  };
}

type Build = (from: string, until: string) => Fragment<unknown>;

const buildCharges =
  (inProjects: Fragment<unknown>): Build =>
  (from, until) =>
    sql`
    SELECT substr(id, 5) AS id, project_id, model, key_id, started_at_ms AS at_ms, created_at_ms AS end_ms,
      estimated_tokens AS estimated, coalesce(counted_tokens, prompt_tokens + completion_tokens) AS counted, outcome
    FROM ledger_entries WHERE kind = 'charge' AND id > ${from} AND id < ${until} ${inProjects}
    ORDER BY ledger_entries.id LIMIT ${sql.lit(READ_AT_ONCE)}`;

const buildUncharged =
  (inProjects: Fragment<unknown>): Build =>
  (from, until) =>
    sql`
    SELECT substr(id, 5) AS id, project_id, model, key_id, at_ms, at_ms + duration_ms AS end_ms,
      estimated_tokens AS estimated, 0 AS counted, coalesce(refused_by, outcome) AS outcome
    FROM uncharged_calls
    WHERE id > ${from} AND id < ${until} AND (outcome <> 'refused' OR refused_by IN (${limitCodes})) ${inProjects}
    ORDER BY uncharged_calls.id LIMIT ${sql.lit(READ_AT_ONCE)}`;

async function* readInSteps(
  database: Database,
  build: Build,
  prefix: "txn" | "req",
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  pause: (atMs: number) => Promise<void>,
): AsyncGenerator<CallRow> {
  let from = firstIdAt(prefix, Math.max(0, fromMs - ID_LEAD_MS));
  const until = firstIdAt(prefix, toMs);
  for (;;) {
    const { rows } = await sql<CallRow>`${build(from, until)}`.execute(database);
    for (const row of rows) if (row.at_ms >= fromMs && row.at_ms < toMs) yield row;
    const last = rows.at(-1);
    if (rows.length < READ_AT_ONCE || !last) return;
    from = `${prefix}_${last.id}`;
    await pause(last.at_ms);
  }
}

async function readBatches(
  database: Database,
  inProjects: Fragment<unknown>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<CallRow[]> {
  const { rows } = await sql<CallRow>`
    SELECT id, project_id, model, key_id, created_at_ms AS at_ms, NULL AS end_ms, counted_tokens AS estimated,
      0 AS counted, 'batch' AS outcome
    FROM batches WHERE created_at_ms >= ${fromMs} AND created_at_ms < ${toMs} ${inProjects}`.execute(
    database,
  );
  return rows;
}

/**
 * Refusals that were counted and not stored came beside stored ones of their minute, key and limit: at their times, by
 * turns. Where none is stored, only their number is known.
 */
async function addUnlisted(
  database: Database,
  inProjects: Fragment<unknown>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  samples: ReadonlyMap<string, Arrival[]>,
  found: PastArrivals,
): Promise<void> {
  const { rows } = await sql<Omit<CallRow, "id"> & { refusals: number }>`
    SELECT minute_ms AS at_ms, project_id, model, key_id, refused_by AS outcome, refusals FROM refusal_counts
    WHERE minute_ms >= ${fromMs - (fromMs % MINUTE_MS)} AND minute_ms < ${toMs} AND refused_by IN (${limitCodes})
      ${inProjects}`.execute(database);
  for (const row of rows) {
    const arrivals = found.byPair.get(pairKey({ projectId: row.project_id, model: row.model }));
    if (!arrivals) continue;
    found.refusals += row.refusals;
    const stored = samples.get(buildMinuteKey(row, row.outcome)) ?? [];
    const missing = row.refusals - stored.length;
    if (stored.length === 0) found.refusalsWithoutTime += row.refusals;
    for (const [index, sample] of stored.entries()) {
      const times = Math.floor(missing / stored.length) + (index < missing % stored.length ? 1 : 0);
      if (times > 0) arrivals.push({ ...sample, times, requestId: null });
    }
  }
}

function buildMinuteKey(
  { at_ms, project_id, model, key_id }: Pick<CallRow, "at_ms" | "project_id" | "model" | "key_id">,
  refusedBy: string,
): string {
  return `${at_ms - (at_ms % MINUTE_MS)} ${project_id} ${key_id} ${refusedBy} ${model}`;
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
