import { newId } from "@/lib/contract/ids";

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

/** The hash that the first event is chained to. */
export const FIRST_HASH = "0".repeat(64);

/** SHA-256 of the previous event's hash followed by the event as JSON, its columns in a fixed order. */
export function hashEvent(previousHash: string, row: Omit<AuditRow, "id" | "hash">): string {
  const who = [row.actor_kind, row.actor_id, row.actor_key_id, row.actor_user_id, row.actor_email];
  const when = [Number(row.seq), Number(row.at_ms), row.type, row.project_id, row.request_id];
  const canonical = JSON.stringify([...when, ...who, row.actor_ip, row.changes]);
  return new Bun.CryptoHasher("sha256").update(previousHash).update(canonical).digest("hex");
}

/** An event's id follows from its hash, so neither can be changed without the other. */
export function buildEventId(atMs: number, hash: string): string {
  return newId("audit", atMs, (bytes) => Uint8Array.from(Buffer.from(hash.slice(0, bytes * 2), "hex")));
}
