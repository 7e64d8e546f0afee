import { sql } from "kysely";
import { readIdTime } from "@/lib/contract/ids";
import { toNano } from "@/lib/money/amount";
import type { Database } from "../../database/database";
import { readReceiptDetails } from "../receipt-details";
import type { RequestDetails, RequestKey, RequestLogReader } from "../request-log-reader";
import { countRequests, MAX_COUNTED } from "./count-requests.sql";
import { EVERY_CALL, listRequests, only, readRange, stripIdPrefix } from "./list-requests";
import { readUnlistedRefusals } from "./read-unlisted-refusals";
import { toRequestRecord } from "./request-sources";

/** Reads calls on a read-only connection. Ids sort by time, and every table of calls has an index of them. */
export function createSqliteRequestLogReader(database: Database, maxCounted = MAX_COUNTED): RequestLogReader {
  return {
    find: (id) => findRequest(database, stripIdPrefix(id)),
    listed: (filter) => listRequests(database, filter),
    firstCallMs: () => readFirstCallMs(database),
    count: (filter, span) => countRequests(database, filter, span, maxCounted),
    unlistedRefusals: (filter, minutes) => readUnlistedRefusals(database, filter, minutes),
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
    SELECT iif(service_account_id IS NULL, 'project_api_key', 'service_account_key') AS kind, name, last_four,
      (SELECT name FROM service_accounts WHERE service_accounts.id = service_account_id) AS owner,
      revoked_at_ms IS NULL AS is_active FROM project_api_keys WHERE id = ${id}
    UNION ALL SELECT 'admin_api_key', name, last_four, NULL, revoked_at_ms IS NULL FROM admin_api_keys WHERE id = ${id}
    UNION ALL SELECT 'user', name, NULL, email, removed_at_ms IS NULL FROM users WHERE id = ${id}`.execute(
    database,
  );
  const [row] = rows;
  if (!row) return null;
  const { kind, name, last_four, owner, is_active } = row;
  return { kind, name, lastFour: last_four, owner, isActive: is_active === 1 };
}
