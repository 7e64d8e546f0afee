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
  /** Rows of this table, of which a change may have thousands, get an event of this type each, before its own. */
  readonly eachOf?: { readonly object: string; readonly type: string };
}

/** A row before and after a change, with its secrets masked; null if the row didn't exist. */
export interface AuditChange {
  /** The table. */
  readonly object: string;
  readonly id: string;
  /** The member or group of a row that joins one to something else, such as a role assignment. */
  readonly subject_id: string | null;
  readonly project_id: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** A row of the log as it is stored. Integers are numbers or bigints, depending on the connection. */
export interface AuditRow {
  readonly seq: number;
  readonly id: string;
  readonly at_ms: number;
  readonly type: string;
  readonly project_id: string | null;
  readonly request_id: string | null;
  readonly actor_kind: "session" | "admin_key" | "project_key" | null;
  readonly actor_id: string | null;
  readonly actor_key_id: string | null;
  readonly actor_user_id: string | null;
  readonly actor_email: string | null;
  readonly actor_ip: string | null;
  /** JSON of `AuditChange[]`. */
  readonly changes: string;
  /** Hexadecimal SHA-256, 64 digits. */
  readonly hash: string;
}
