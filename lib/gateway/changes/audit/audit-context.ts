/** The actor of a change, by ids alone, so that it contains no secret. */
export interface AuditActor {
  readonly kind: "session" | "admin_key" | "project_key";
  /** `sess_…` or `key_…`. */
  readonly id: string;
  /**
   * The admin key behind the actor: the key itself, or the one that opened the session. Null for a member's session.
   */
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
  /** Null for the gateway itself, and during a sign-in. */
  readonly actor: AuditActor | null;
}
