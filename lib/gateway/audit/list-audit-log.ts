import type { AuditLogQuery } from "@/lib/contract/operations/audit-logs";
import { invalid } from "../ports/refusal";
import type { AuditLogReader, AuditRecord } from "./audit-log-reader";

const DEFAULT_LIMIT = 20;

/** One page of the log, newest first, and whether there are more. @throws Refusal 400 for a page beside no event. */
export async function listAuditLog(
  log: AuditLogReader,
  query: AuditLogQuery,
): Promise<{ events: AuditRecord[]; hasMore: boolean }> {
  const { after, before } = query;
  for (const [param, id] of Object.entries({ after, before })) {
    if (id === undefined || (await log.has(id))) continue;
    throw invalid(param, `"${id}" is not in the log; pass the id of an event the list returned.`);
  }
  const limit = query.limit ?? DEFAULT_LIMIT;
  // One more than asked for tells whether there is a further page; the further one stands at the far end.
  const events = await log.list({
    ...timesOf(query),
    projectIds: query.project_ids,
    types: query.event_types,
    actorIds: query.actor_ids,
    actorEmails: query.actor_emails?.map((email) => email.toLowerCase()),
    resourceIds: query.resource_ids,
    after,
    before,
    limit: limit + 1,
  });
  const hasMore = events.length > limit;
  const isUpwards = before !== undefined && after === undefined;
  return { events: isUpwards ? events.slice(-limit) : events.slice(0, limit), hasMore };
}

/** Compared as they are shown, in whole seconds. */
function timesOf(query: AuditLogQuery): { fromMs?: number; untilMs?: number } {
  const from = [query["effective_at[gte]"], plusOne(query["effective_at[gt]"])].filter(
    (at) => at !== undefined,
  );
  const until = [query["effective_at[lt]"], plusOne(query["effective_at[lte]"])].filter(
    (at) => at !== undefined,
  );
  return {
    ...(from.length > 0 && { fromMs: Math.max(...from) * 1000 }),
    ...(until.length > 0 && { untilMs: Math.min(...until) * 1000 }),
  };
}

function plusOne(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds + 1;
}
