import type { AuditLogQuery } from "@/lib/contract/operations/audit/audit-logs";
import type { AuditFilter } from "./audit-log-reader";

/** The filter in a query of the log, without its page. */
export function toAuditFilter(query: Omit<AuditLogQuery, "after" | "before" | "limit">): AuditFilter {
  return {
    ...readTimes(query),
    projectIds: query.project_ids,
    types: query.event_types,
    withoutSignIns: query.sign_ins === false ? true : undefined,
    actorIds: query.actor_ids,
    actorEmails: query.actor_emails?.map((email) => email.toLowerCase()),
    resourceIds: query.resource_ids,
    ipAddresses: query.ip_addresses,
    text: query.text,
  };
}

/** Times are compared in whole seconds, as they are shown. */
function readTimes(query: AuditLogQuery): { fromMs?: number; untilMs?: number } {
  const from = [query["effective_at[gte]"], addOne(query["effective_at[gt]"])].filter(
    (at) => at !== undefined,
  );
  const until = [query["effective_at[lt]"], addOne(query["effective_at[lte]"])].filter(
    (at) => at !== undefined,
  );
  return {
    ...(from.length > 0 && { fromMs: Math.max(...from) * 1000 }),
    ...(until.length > 0 && { untilMs: Math.min(...until) * 1000 }),
  };
}

function addOne(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds + 1;
}
