import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { Reads } from "../../database/database";
import { listBySequence } from "../../database/list-by-sequence";
import type { Tables } from "../../database/schema";
import { type AuditChange, FIRST_HASH } from "./audit-event";
import type { AuditFilter, AuditLogReader } from "./audit-log-reader";
import { nameAudited } from "./name-audited.sql";

/** Last digits of secrets, which the log keeps for doctor only. */
const DIGESTS = /"\*\*\*[^"\\]+"/g;

export function createSqliteAuditLogReader(reads: Reads): AuditLogReader {
  return {
    async head() {
      const last = await reads
        .selectFrom("audit_logs")
        .select(["seq", "hash", "at_ms"])
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      const head = { length: last?.seq ?? 0, hash: last?.hash ?? FIRST_HASH };
      return { head, atMs: last?.at_ms ?? null };
    },
    pages: (filter, maxChanges) => {
      const events = listBySequence(
        reads,
        "audit_logs",
        async () => ({
          query: select(reads).where((event) => event.and(conditions(event, filter))),
          isFiltered: Object.values(filter).some((value) => value !== undefined),
        }),
        (row) => readChanges(row, maxChanges),
      );
      return { ...events, read: async (page) => nameAudited(reads, await events.read(page)) };
    },
    async find(id) {
      const row = await select(reads).where("audit_logs.id", "=", id).executeTakeFirst();
      return row ? ((await nameAudited(reads, [readChanges(row)]))[0] ?? null) : null;
    },
  };
}

function readChanges<Row extends { readonly changes: string }>({ changes, ...row }: Row, max?: number) {
  const all: AuditChange[] = JSON.parse(changes.replaceAll(DIGESTS, '"***"'));
  const shown = all.slice(0, max);
  return { ...row, changes: shown, moreChanges: all.length - shown.length };
}

function select(reads: Reads) {
  return reads
    .selectFrom("audit_logs")
    .leftJoin("projects", "projects.id", "audit_logs.project_id")
    .leftJoin("project_api_keys as key", "key.id", "audit_logs.actor_id")
    .selectAll("audit_logs")
    .select(["projects.name as projectName", "key.service_account_id as serviceAccountId"]);
}

type Event = ExpressionBuilder<
  Tables & { key: Tables["project_api_keys"] },
  "audit_logs" | "projects" | "key"
>;

function conditions(event: Event, filter: AuditFilter): Expression<SqlBool>[] {
  const { fromMs, untilMs, projectIds, types, withoutSignIns } = filter;
  const { actorIds, actorEmails, resourceIds, ipAddresses, text } = filter;
  const filterConditions: (Expression<SqlBool> | undefined)[] = [
    fromMs === undefined ? undefined : event("audit_logs.at_ms", ">=", fromMs),
    untilMs === undefined ? undefined : event("audit_logs.at_ms", "<", untilMs),
    projectIds && event("audit_logs.project_id", "in", projectIds),
    types && event("audit_logs.type", "in", types),
    withoutSignIns &&
      sql<SqlBool>`audit_logs.type NOT GLOB 'login.*' AND audit_logs.type NOT GLOB 'logout.*'`,
    actorIds &&
      event.or(
        (["actor_id", "actor_key_id", "actor_user_id", "key.service_account_id"] as const).map((column) =>
          event(column, "in", actorIds),
        ),
      ),
    actorEmails && event("audit_logs.actor_email", "in", actorEmails),
    ipAddresses && event("audit_logs.actor_ip", "in", ipAddresses),
    resourceIds && touches(resourceIds),
    text === undefined ? undefined : mentions(text),
  ];
  return filterConditions.filter((condition) => condition !== undefined);
}

function touches(ids: readonly string[]) {
  const list = sql.join(ids);
  return sql<SqlBool>`(${namesAny(ids)}) AND EXISTS (
    SELECT 1 FROM json_each(audit_logs.changes) WHERE json_extract(value, '$.id') IN (${list})
      OR json_extract(value, '$.subject_id') IN (${list}))`;
}

/** A cheap condition that every relevant event meets, so that few events have to be parsed. */
function namesAny(ids: readonly string[]) {
  const within = ids.map((id) => sql`instr(audit_logs.changes, ${JSON.stringify(id)}) > 0`);
  return sql.join(within, sql` OR `);
}

/** Searches visible data only: neither field names nor remains of secrets. */
function mentions(text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
  const within = (column: string) => sql`${sql.ref(`audit_logs.${column}`)} LIKE ${pattern} ESCAPE '\\'`;
  const columns = ["type", "id", "actor_email", "actor_ip", "actor_id", "request_id"].map(within);
  // Compared as text first, which is cheap and matches every relevant event, so that few events have to be parsed.
  const jsonPattern = `%${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`(${sql.join(columns, sql` OR `)} OR audit_logs.changes LIKE ${jsonPattern} ESCAPE '\\' AND EXISTS (
    SELECT 1 FROM json_tree(audit_logs.changes)
    WHERE atom LIKE ${pattern} ESCAPE '\\' AND atom NOT LIKE '***%' AND key <> 'object'))`;
}
