import type { PagedList } from "../../lists/paged-list";
import type { AuditChange, AuditRow } from "./audit-event";
import type { AuditHead } from "./audit-head";
import type { AuditChainFault } from "./verify-audit-chain";

/** A change with the present names of the objects it refers to; null if an object has no name or was deleted. */
interface NamedChange extends AuditChange {
  readonly name: string | null;
  readonly subject_name: string | null;
}

/** An event with its changes parsed and the present names of the objects it refers to. */
export interface AuditRecord extends Omit<AuditRow, "changes"> {
  readonly changes: readonly NamedChange[];
  /** How many further changes were left out. */
  readonly moreChanges: number;
  /** The name of the acting key, or of the key that opened the acting session. */
  readonly keyName: string | null;
  readonly projectName: string | null;
  /** The service account that owns the acting key. */
  readonly serviceAccountId: string | null;
}

/**
 * Which events to list. An event matches a list if it matches one of its entries. Times are milliseconds; `untilMs` is
 * exclusive.
 */
export interface AuditFilter {
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly projectIds?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly withoutSignIns?: true | undefined;
  /** Ids of sessions, keys, members or service accounts. */
  readonly actorIds?: readonly string[] | undefined;
  readonly actorEmails?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  /** Text that must occur in the changed fields, the type, an id or the actor's address. */
  readonly text?: string | undefined;
}

/** How far the hash chain holds, and the fault that ends it; null if it holds to the end. */
export interface AuditWalk {
  readonly head: AuditHead;
  readonly fault: AuditChainFault | null;
}

export interface AuditChainVerifier {
  /** Recomputes the chain. Skips the part that was verified within the minute before `nowMs`. */
  verifyChain(nowMs: number): Promise<AuditWalk>;
}

export interface AuditLogReader {
  /** `atMs` is the time of the last event; null for an empty log. */
  head(): Promise<{ head: AuditHead; atMs: number | null }>;
  /** Newest first. @param maxChanges of each event; all if absent. */
  pages(filter: AuditFilter, maxChanges?: number): PagedList<AuditRecord>;
  find(id: string): Promise<AuditRecord | null>;
}
