import type { PagedList } from "../lists/paged-list";
import type { AuditChange, AuditRow } from "./audit-event";
import type { AuditHead } from "./audit-head";
import type { AuditChainFault } from "./verify-audit-chain";

/** A change with the present names of what its ids refer to; null where that has no name or was deleted. */
export interface NamedChange extends AuditChange {
  readonly name: string | null;
  readonly subject_name: string | null;
}

/** An event as it is read: its changes parsed, and the names of what it points to, as they are now. */
export interface AuditRecord extends Omit<AuditRow, "changes"> {
  readonly changes: readonly NamedChange[];
  /** The name of the key that acted, or that the acting session was opened for. */
  readonly keyName: string | null;
  readonly projectName: string | null;
  /** The service account whose key acted. */
  readonly serviceAccountId: string | null;
}

/**
 * Which events to list. An event matches a list if it matches one of its entries. Times are milliseconds; `until` is exclusive.
 */
export interface AuditFilter {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly projectIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Of sessions, keys, members or service accounts. */
  readonly actorIds?: readonly string[] | undefined;
  readonly actorEmails?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  /** Text that the changed fields, the type, an id or the actor's address contain. */
  readonly text?: string | undefined;
}

/** How far the hash chain holds, and what ends it there; null where nothing does. */
export interface AuditWalk {
  readonly head: AuditHead;
  readonly fault: AuditChainFault | null;
}

export interface AuditChainVerifier {
  /** Recomputes the chain, but for what was found to hold within the last minute before `nowMs`. */
  verifyChain(nowMs: number): Promise<AuditWalk>;
}

export interface AuditLogReader {
  /** `atMs` is the last event's; null where there is none yet. */
  head(): Promise<{ head: AuditHead; atMs: number | null }>;
  /** Newest first. */
  listed(filter: AuditFilter): PagedList<AuditRecord>;
  find(id: string): Promise<AuditRecord | null>;
}
