import type { PagedList } from "../lists/paged-list";
import type { AuditChange, AuditRow } from "./audit-event";
import type { AuditHead } from "./audit-head";

/** An event as it is read: its changes parsed, and the names of what it points to, as they are now. */
export interface AuditRecord extends Omit<AuditRow, "changes"> {
  readonly changes: readonly AuditChange[];
  readonly projectName: string | null;
  /** Of the service account whose key acted. */
  readonly serviceAccountId: string | null;
}

/** Which events. Of each list one must fit; times are milliseconds, `until` excluded. */
export interface AuditFilter {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly projectIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Of sessions, keys, members or service accounts. */
  readonly actorIds?: readonly string[] | undefined;
  readonly actorEmails?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
}

export interface AuditLogReader {
  /** `atMs` is the last event's; null where there is none yet. */
  head(): Promise<{ head: AuditHead; atMs: number | null }>;
  /** Newest first. */
  listed(filter: AuditFilter): PagedList<AuditRecord>;
}
