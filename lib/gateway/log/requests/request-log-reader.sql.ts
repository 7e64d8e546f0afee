import { readIdTime } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import type { Database } from "../../database/database";
import { sql } from "../../database/fragment";
import type { PagedList } from "../../lists/paged-list";
import { countRequests, MAX_COUNTED } from "./count-requests.sql";
import { EVERY_CALL, listRequests, only, readRange, stripIdPrefix } from "./list-requests.sql";
import { readReceiptDetails } from "./receipt-details";
import type {
  CountedSpan,
  RequestCount,
  RequestDetails,
  RequestFilter,
  RequestKey,
  RequestRecord,
  UnlistedRefusals,
} from "./request-record";
import { toRequestRecord } from "./request-sources.sql";
import { readUnlistedRefusals } from "./unlisted-refusals.sql";

export type RequestLogReader = ReturnType<typeof createRequestLogReader>;

/** Reads calls on a read-only connection. Ids sort by time, and every table of calls has an index of them. */
export function createRequestLogReader(database: Database, maxCounted = MAX_COUNTED) {
  return {
    /** Finds a call by its id, or by that of its charge or hold. */
    find: (id: string): Promise<RequestDetails | null> => findRequest(database, stripIdPrefix(id)),
    /** Newest first. */
    listed: (filter: RequestFilter): PagedList<RequestRecord> => listRequests(database, filter),
    /** When the first call arrived; null where there is none. */
    firstCallMs: (): Promise<number | null> => readFirstCallMs(database),
    /**
     * Counts by stretches of at least this width that begin at its multiples; null where counting would take too long.
     */
    count: (
      filter: RequestFilter,
      span: CountedSpan,
    ): Promise<{ readonly widthMs: number; readonly counts: readonly RequestCount[] } | null> =>
      countRequests(database, filter, span, maxCounted),
    /** Counts by minutes that begin at or after `fromMs` and before `toMs`, newest first; returns at most 200. */
    unlistedRefusals: (
      filter: RequestFilter,
      minutes: { readonly fromMs: number; readonly toMs: number },
    ): Promise<UnlistedRefusals[]> => readUnlistedRefusals(database, filter, minutes),
  };
}

async function findRequest(database: Database, position: string): Promise<RequestDetails | null> {
  const [row] = await readRange(database, EVERY_CALL, only(position), 1);
  if (!row) return null;
  const { rows } = await sql<{ held: string | null; trace: string | null }>`
    SELECT cast(held AS text) AS held, trace FROM ledger_entries WHERE id = ${`txn_${position}`}
    UNION ALL SELECT cast(held AS text), trace FROM uncharged_calls WHERE id = ${`req_${position}`}
    UNION ALL SELECT cast(amount AS text), coalesce(trace, (SELECT trace FROM tasks WHERE id = holds.task_id))
      FROM holds WHERE id = ${`hold_${position}`}`.execute(database);
  const { held = null, trace = null } = rows[0] ?? {};
  const task = await database
    .selectFrom("tasks")
    .select("id")
    .where("request_id", "=", `req_${position}`)
    .executeTakeFirst();
  return {
    request: toRequestRecord(row),
    held: held === null ? null : toNano(BigInt(held)),
    receiptDetails: readReceiptDetails(trace),
    key: await readRequestKey(database, row.key_id),
    taskId: task?.id ?? null,
  };
}

async function readFirstCallMs(database: Database): Promise<number | null> {
  const { rows } = await sql<{ id: string | null }>`
    SELECT (SELECT id FROM ledger_entries WHERE kind = 'charge' ORDER BY id LIMIT 1) AS id
    UNION ALL SELECT (SELECT id FROM uncharged_calls ORDER BY id LIMIT 1)`.execute(database);
  const times = rows.flatMap(({ id }) => (id === null ? [] : (readIdTime(id) ?? [])));
  return times.length === 0 ? null : Math.min(...times);
}

/** The key, admin key or member that made a call; null if it is no longer known. */
async function readRequestKey(database: Database, id: string): Promise<RequestKey | null> {
  const { rows } = await sql<
    Omit<RequestKey, "isActive" | "lastFour"> & { last_four: string; is_active: number }
  >`
    SELECT CASE WHEN service_account_id IS NULL THEN 'project_api_key' ELSE 'service_account_key' END AS kind, name, last_four,
      (SELECT name FROM service_accounts WHERE service_accounts.id = service_account_id) AS owner,
      CASE WHEN revoked_at_ms IS NULL THEN 1 ELSE 0 END AS is_active FROM project_api_keys WHERE id = ${id}
    UNION ALL SELECT 'admin_api_key', name, last_four, NULL, CASE WHEN revoked_at_ms IS NULL THEN 1 ELSE 0 END FROM admin_api_keys WHERE id = ${id}
    UNION ALL SELECT 'user', name, NULL, email, CASE WHEN removed_at_ms IS NULL THEN 1 ELSE 0 END FROM users WHERE id = ${id}`.execute(
    database,
  );
  const [row] = rows;
  if (!row) return null;
  const { kind, name, last_four, owner, is_active } = row;
  return { kind, name, lastFour: last_four, owner, isActive: is_active === 1 };
}
