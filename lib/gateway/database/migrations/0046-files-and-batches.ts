import { type Kysely, sql } from "kysely";

const statements = [
  // The bytes are on disk. A row without `stored_at_ms` is an upload in progress.
  `CREATE TABLE files (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, purpose TEXT NOT NULL CHECK (purpose IN ('batch', 'batch_output', 'user_data')),
    filename TEXT NOT NULL, bytes INTEGER NOT NULL CHECK (bytes >= 0), created_at_ms INTEGER NOT NULL, stored_at_ms INTEGER,
    expires_at_ms INTEGER
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX files_by_project ON files(project_id, id)",
  "CREATE INDEX files_by_purpose ON files(purpose, id)",
  "CREATE INDEX files_by_expiry ON files(expires_at_ms) WHERE expires_at_ms IS NOT NULL",
  "CREATE INDEX files_on_their_way ON files(created_at_ms) WHERE stored_at_ms IS NULL",
  `CREATE TABLE batches (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL, key_id TEXT NOT NULL, endpoint TEXT NOT NULL, model TEXT NOT NULL,
    metadata TEXT, input_file_id TEXT NOT NULL, input_bytes INTEGER NOT NULL, output_file_id TEXT NOT NULL, error_file_id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('in_progress', 'cancelling', 'completed', 'expired', 'cancelled')),
    total INTEGER NOT NULL, completed INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0, cached_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    counted_tokens INTEGER NOT NULL, read_bytes INTEGER NOT NULL DEFAULT 0, read_lines INTEGER NOT NULL DEFAULT 0,
    output_bytes INTEGER NOT NULL DEFAULT 0, error_bytes INTEGER NOT NULL DEFAULT 0, output_expires_after_ms INTEGER,
    created_at_ms INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL, cancel_requested_at_ms INTEGER, ended_at_ms INTEGER,
    claimed_by TEXT, claimed_until_ms INTEGER,
    CHECK ((ended_at_ms IS NULL) = (status IN ('in_progress', 'cancelling'))),
    CHECK (completed + failed <= total)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX batches_by_project ON batches(project_id, id)",
  "CREATE INDEX batches_under_way ON batches(created_at_ms) WHERE ended_at_ms IS NULL",
  "CREATE INDEX batches_by_time ON batches(created_at_ms)",
  `CREATE TRIGGER ended_batches_stay_ended BEFORE UPDATE OF status ON batches WHEN OLD.ended_at_ms IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a batch that has ended stays as it is'); END`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
