import { type Kysely, sql } from "kysely";

const people = [
  `CREATE TABLE organizations (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, currency TEXT NOT NULL, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE projects (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at_ms INTEGER NOT NULL, archived_at_ms INTEGER
  ) STRICT`,
  `CREATE TABLE project_api_keys (
    id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, last_four TEXT NOT NULL, created_at_ms INTEGER NOT NULL, revoked_at_ms INTEGER
  ) STRICT`,
  `CREATE INDEX project_api_keys_by_project ON project_api_keys(project_id, id)`,
  `CREATE TABLE admin_api_keys (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, role_id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE, last_four TEXT NOT NULL, created_at_ms INTEGER NOT NULL, revoked_at_ms INTEGER
  ) STRICT`,
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY, admin_api_key_id TEXT NOT NULL REFERENCES admin_api_keys(id),
    hash TEXT NOT NULL UNIQUE, created_at_ms INTEGER NOT NULL, expires_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE sign_in_tokens (
    hash TEXT PRIMARY KEY, admin_api_key_id TEXT NOT NULL REFERENCES admin_api_keys(id),
    expires_at_ms INTEGER NOT NULL, used_at_ms INTEGER
  ) STRICT`,
  `CREATE TABLE roles (
    id TEXT PRIMARY KEY, resource_type TEXT NOT NULL, name TEXT NOT NULL, description TEXT,
    permissions TEXT NOT NULL, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE UNIQUE INDEX roles_by_name ON roles(resource_type, name)`,
];

const control = [
  `CREATE TABLE rate_limits (
    project_id TEXT NOT NULL REFERENCES projects(id), model TEXT NOT NULL,
    max_requests_per_1_minute INTEGER NOT NULL CHECK (max_requests_per_1_minute >= 0),
    max_tokens_per_1_minute INTEGER NOT NULL CHECK (max_tokens_per_1_minute >= 0),
    max_images_per_1_minute INTEGER CHECK (max_images_per_1_minute >= 0),
    max_audio_megabytes_per_1_minute INTEGER CHECK (max_audio_megabytes_per_1_minute >= 0),
    max_requests_per_1_day INTEGER CHECK (max_requests_per_1_day >= 0),
    batch_1_day_max_input_tokens INTEGER CHECK (batch_1_day_max_input_tokens >= 0),
    updated_at_ms INTEGER NOT NULL, PRIMARY KEY (project_id, model)
  ) STRICT`,
  `CREATE TABLE providers (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, base_url TEXT NOT NULL, sealed_api_key TEXT, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE models (
    id TEXT PRIMARY KEY, family TEXT NOT NULL, rate TEXT NOT NULL, input_per_1m TEXT NOT NULL,
    output_per_1m TEXT NOT NULL, max_output_tokens INTEGER NOT NULL, routes TEXT NOT NULL, created_at_ms INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE model_prices (
    model TEXT PRIMARY KEY, rate TEXT NOT NULL, input_per_1m TEXT NOT NULL, output_per_1m TEXT NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT`,
];

const money = [
  `CREATE TABLE accounts (
    name TEXT PRIMARY KEY, balance INTEGER NOT NULL, CHECK (name <> 'balance' OR balance >= 0)
  ) STRICT`,
  `INSERT INTO accounts (name, balance) VALUES ('payments', 0), ('balance', 0), ('charges', 0), ('provider_variance', 0)`,
  // The table has open holds only: a resolved hold is deleted, and its charge or its free call takes its place.
  `CREATE TABLE holds (
    id TEXT PRIMARY KEY, request_id TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('created', 'dispatched')),
    amount INTEGER NOT NULL CHECK (amount >= 0), project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, max_completion_tokens INTEGER NOT NULL,
    input_per_1m INTEGER NOT NULL, output_per_1m INTEGER NOT NULL, rate INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL, deadline_at_ms INTEGER NOT NULL,
    checkpoint_completion_tokens INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`,
  // A charge contains its call. Its id is the request's with another prefix, so the UNIQUE constraint forbids a second
  // charge. The checks compare values one by one, since SQLite would build a table for an IN list at each insert.
  `CREATE TABLE ledger_entries (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, amount INTEGER NOT NULL,
    from_account TEXT NOT NULL AS (CASE kind WHEN 'charge' THEN 'balance' WHEN 'payment' THEN 'payments' ELSE kind END),
    to_account TEXT NOT NULL AS (iif(kind = 'payment', 'balance', 'charges')),
    created_at_ms INTEGER NOT NULL, reference TEXT, basis TEXT,
    request_id TEXT, project_id TEXT, key_id TEXT, model TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
    input_per_1m INTEGER, output_per_1m INTEGER, rate INTEGER,
    held INTEGER, started_at_ms INTEGER, stream INTEGER, outcome TEXT, status INTEGER, estimated_tokens INTEGER,
    first_byte_ms INTEGER, duration_ms INTEGER,
    CHECK (basis = 'reported' OR basis = 'estimated' OR basis = 'interrupted'),
    CHECK (CASE kind
      WHEN 'charge' THEN amount >= 0 AND amount <= held AND id = 'txn_' || substr(request_id, 5)
      WHEN 'payment' THEN amount >= 0 WHEN 'provider_variance' THEN amount >= 0 ELSE 0 END)
  ) STRICT`,
  `CREATE INDEX ledger_entries_variances ON ledger_entries(request_id) WHERE kind = 'provider_variance'`,
  `CREATE TRIGGER ledger_entries_are_not_changed BEFORE UPDATE ON ledger_entries
    BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END`,
  `CREATE TRIGGER ledger_entries_are_not_deleted BEFORE DELETE ON ledger_entries
    BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END`,
  `CREATE TABLE uncharged_calls (
    id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    stream INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER NOT NULL, refused_by TEXT, held INTEGER,
    estimated_tokens INTEGER NOT NULL, first_byte_ms INTEGER, duration_ms INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE VIEW request_log AS
    SELECT request_id AS id, started_at_ms AS at_ms, project_id, key_id, model, stream, outcome, status,
      NULL AS refused_by, held, estimated_tokens, prompt_tokens, completion_tokens, first_byte_ms, duration_ms
    FROM ledger_entries WHERE kind = 'charge'
    UNION ALL
    SELECT id, at_ms, project_id, key_id, model, stream, outcome, status,
      refused_by, held, estimated_tokens, NULL, NULL, first_byte_ms, duration_ms
    FROM uncharged_calls`,
  `CREATE TABLE key_uses (key_id TEXT PRIMARY KEY, last_used_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, reply TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL, PRIMARY KEY (scope, key)
  ) STRICT`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of [...people, ...control, ...money]) await sql.raw(statement).execute(database);
}
