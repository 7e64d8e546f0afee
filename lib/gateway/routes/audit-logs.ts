import type { AuditLog } from "@/lib/contract/operations/audit-logs";
import type { AuditLogReader, AuditRecord } from "../audit/audit-log-reader";
import { detailsOf } from "../audit/details-of";
import { filterOf } from "../audit/filter-of";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";
import { toNullableUnixSeconds, toUnixSeconds } from "./unix-seconds";

/** Of OpenAI's audit log. */
const USUAL_LIMIT = 20;

type Ids = "listAuditLogs" | "retrieveAuditLogHead";

export function auditLogRoutes({ auditLog }: { auditLog: AuditLogReader }): Handlers<Ids> {
  return {
    listAuditLogs: async ({ query }) => {
      const { after, before, limit = USUAL_LIMIT } = query;
      const page = await paginate(auditLog.listed(filterOf(query)), { after, before, limit }, toAuditLog);
      return { ...page, head: (await auditLog.head()).head };
    },
    retrieveAuditLogHead: async () => {
      const { head, atMs } = await auditLog.head();
      return { object: "organization.audit_log.head", ...head, effective_at: toNullableUnixSeconds(atMs) };
    },
  };
}

function toAuditLog(event: AuditRecord): AuditLog {
  const { id, type, at_ms, project_id, projectName, request_id, changes, hash } = event;
  return {
    id,
    type,
    effective_at: toUnixSeconds(at_ms),
    actor: toActor(event),
    ...(project_id !== null && { project: { id: project_id, name: projectName ?? "" } }),
    request_id,
    [type]: detailsOf(type, changes),
    changes: [...changes],
    hash,
  };
}

function toActor(event: AuditRecord): AuditLog["actor"] {
  const { actor_kind: kind, actor_id: id, actor_user_id: userId, actor_ip: ip_address } = event;
  if (kind === null || id === null) return null;
  if (kind === "session") {
    const user = userId === null ? null : { id: userId, email: event.actor_email };
    return { type: "session", session: { id, ip_address, user, api_key_id: event.actor_key_id } };
  }
  const account = event.serviceAccountId;
  if (account === null) return { type: "api_key", api_key: { id, type: "user", ip_address } };
  const service_account = { id: account };
  return { type: "api_key", api_key: { id, type: "service_account", ip_address, service_account } };
}
