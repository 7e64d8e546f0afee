import { AsyncLocalStorage } from "node:async_hooks";

/** Who changes something. Ids: nothing that opens a door. */
export interface AuditActor {
  readonly kind: "session" | "admin_key" | "project_key";
  /** `sess_…` or `key_…`. */
  readonly id: string;
  /** The key behind it: itself, or the admin key a session was opened for. Null for a member's session. */
  readonly keyId: string | null;
  readonly userId: string | null;
  readonly email: string | null;
}

/** What a change is made for. Plain data: it crosses to the writer thread. */
export interface AuditContext {
  /** The event's type. */
  readonly type: string;
  readonly atMs: number;
  readonly requestId: string | null;
  /** The address at the other end. */
  readonly ip: string | null;
  /** Null for the gateway itself, and for one who is only signing in. */
  readonly actor: AuditActor | null;
}

const storage = new AsyncLocalStorage<AuditContext>();

/** Every change that `work` commits is logged as made for `context`. */
export function audited<Result>(context: AuditContext, work: () => Result): Result {
  return storage.run(context, work);
}

/** Null outside a request: the gateway's own doing. */
export function auditContext(): AuditContext | null {
  return storage.getStore() ?? null;
}

/** The same, for a part of a request that is an event of its own. */
export function auditedAs<Result>(type: string, work: () => Result): Result {
  const context = auditContext();
  return context ? audited({ ...context, type }, work) : work();
}
