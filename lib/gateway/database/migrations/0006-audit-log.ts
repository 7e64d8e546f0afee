import { type Kysely, sql } from "kysely";

const statements = [
  `CREATE TABLE audit_logs (
    seq INTEGER PRIMARY KEY CHECK (seq > 0), id TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL, type TEXT NOT NULL,
    project_id TEXT, request_id TEXT,
    actor_kind TEXT, actor_id TEXT, actor_key_id TEXT, actor_user_id TEXT, actor_email TEXT, actor_ip TEXT,
    changes TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT`,
  `CREATE TRIGGER audit_logs_are_not_changed BEFORE UPDATE ON audit_logs
    BEGIN SELECT RAISE(ABORT, 'audit events are immutable'); END`,
  `CREATE TRIGGER audit_logs_are_not_deleted BEFORE DELETE ON audit_logs
    BEGIN SELECT RAISE(ABORT, 'audit events are immutable'); END`,
  `CREATE TRIGGER audit_logs_only_grow BEFORE INSERT ON audit_logs
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit_logs)
    BEGIN SELECT RAISE(ABORT, 'audit events are written at the end'); END`,
  // The changes of the running transaction. They refer to event 0, which doesn't exist, so a commit fails until an
  // event has taken them in.
  `CREATE TABLE audit_pending (
    seq INTEGER PRIMARY KEY, object TEXT NOT NULL, id TEXT NOT NULL, subject_id TEXT, project_id TEXT,
    before TEXT, after TEXT,
    event INTEGER NOT NULL DEFAULT 0 CHECK (event = 0) REFERENCES audit_logs(seq) DEFERRABLE INITIALLY DEFERRED
  ) STRICT`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
