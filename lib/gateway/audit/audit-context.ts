/** Who changes something, by ids alone: nothing in it is a secret. */
export interface AuditActor {
  readonly kind: "session" | "admin_key" | "project_key";
  /** `sess_…` or `key_…`. */
  readonly id: string;
  /** The key behind it: itself, or the admin key a session was opened for. Null for a member's session. */
  readonly keyId: string | null;
  readonly userId: string | null;
  readonly email: string | null;
}

/** What the audit log records of a change besides its rows. Plain data, since it is sent to the writer thread. */
export interface AuditContext {
  /** The event's type. */
  readonly type: string;
  readonly atMs: number;
  readonly requestId: string | null;
  /** The client's IP address. */
  readonly ip: string | null;
  /** Null for the gateway itself, and for somebody who is only signing in. */
  readonly actor: AuditActor | null;
}
