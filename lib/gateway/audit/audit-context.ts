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
