import { type Kysely, sql } from "kysely";

/** A key with a `request_id` belongs to a call. Its reply is stored with the call's charge, if at all. */
const statements = [
  "ALTER TABLE idempotency_keys RENAME TO former_idempotency_keys",
  `CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, reply TEXT, created_at_ms INTEGER NOT NULL,
    request_id TEXT, PRIMARY KEY (scope, key)
  ) STRICT`,
  `INSERT INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms)
    SELECT scope, key, body_hash, reply, created_at_ms FROM former_idempotency_keys`,
  "DROP TABLE former_idempotency_keys",
  "CREATE INDEX idempotency_keys_by_age ON idempotency_keys(created_at_ms)",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
