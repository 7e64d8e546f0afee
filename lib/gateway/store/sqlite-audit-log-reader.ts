import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { AuditChange } from "../audit/audit-event";
import { FIRST_HASH } from "../audit/audit-event";
import type { AuditFilter, AuditLogReader } from "../audit/audit-log-reader";
import type { Reads } from "./database";
import { listBySequence } from "./list-by-sequence";
import type { Tables } from "./schema";

/** Secrets of which the log keeps the last digits, for doctor alone. */
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
    listed: (filter) =>
      listBySequence(
        reads,
        "audit_logs",
        {
          query: select(reads).where((event) => event.and(conditions(event, filter))),
          isFiltered: Object.values(filter).some((asked) => asked !== undefined),
        },
        ({ changes, ...row }) => ({
          ...row,
          changes: JSON.parse(changes.replaceAll(DIGESTS, '"***"')) as AuditChange[],
        }),
      ),
  };
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
  const { fromMs, untilMs, projectIds, types, actorIds, actorEmails, resourceIds } = filter;
  const asked: (Expression<SqlBool> | undefined)[] = [
    fromMs === undefined ? undefined : event("audit_logs.at_ms", ">=", fromMs),
    untilMs === undefined ? undefined : event("audit_logs.at_ms", "<", untilMs),
    projectIds && event("audit_logs.project_id", "in", projectIds),
    types && event("audit_logs.type", "in", types),
    actorIds &&
      event.or(
        (["actor_id", "actor_key_id", "actor_user_id", "key.service_account_id"] as const).map((column) =>
          event(column, "in", actorIds),
        ),
      ),
    actorEmails && event("audit_logs.actor_email", "in", actorEmails),
    resourceIds && touches(resourceIds),
  ];
  return asked.filter((condition) => condition !== undefined);
}

function touches(ids: readonly string[]) {
  const list = sql.join(ids);
  return sql<SqlBool>`EXISTS (
    SELECT 1 FROM json_each(audit_logs.changes) WHERE json_extract(value, '$.id') IN (${list})
      OR json_extract(value, '$.subject_id') IN (${list}))`;
}
