import { type Kysely, sql } from "kysely";

/**
 * The tables of the sign-in library in its own formats: times as ISO 8601, booleans as 0 and 1. User ids are members'
 * ids.
 */
const statements = [
  `CREATE TABLE sign_in_users (
    id TEXT PRIMARY KEY REFERENCES users(id), name TEXT NOT NULL, email TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL, image TEXT, two_factor_enabled INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE sign_in_accounts (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES sign_in_users(id) ON DELETE CASCADE,
    provider_id TEXT NOT NULL, account_id TEXT NOT NULL, password TEXT, access_token TEXT, refresh_token TEXT,
    id_token TEXT, access_token_expires_at TEXT, refresh_token_expires_at TEXT, scope TEXT,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (provider_id, account_id)
  ) STRICT`,
  "CREATE INDEX sign_in_accounts_by_user ON sign_in_accounts(user_id)",
  `CREATE TABLE sign_in_two_factors (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL UNIQUE REFERENCES sign_in_users(id) ON DELETE CASCADE,
    secret TEXT NOT NULL, backup_codes TEXT NOT NULL, verified INTEGER,
    failed_verification_count INTEGER, locked_until TEXT
  ) STRICT`,
  `CREATE TABLE password_resets (
    hash TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users(id), created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX password_resets_by_user ON password_resets(user_id)",
  "ALTER TABLE sessions ADD COLUMN user_agent TEXT",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
