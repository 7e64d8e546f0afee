import { type Kysely, sql } from "kysely";

/** The owner of holds from before this migration: a process that has ended. */
const FORMER = "before there were owners";

const statements = [
  // A process may hold money and claim due work while it has a row here. The process that takes over its holds deletes
  // the row.
  `CREATE TABLE leases (
    owner TEXT PRIMARY KEY, ends_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO leases (owner, ends_at_ms) SELECT '${FORMER}', 0 WHERE EXISTS (SELECT 1 FROM holds)`,
  "ALTER TABLE holds RENAME TO former_holds",
  `CREATE TABLE holds (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL REFERENCES leases(owner), request_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('created', 'dispatched')),
    amount INTEGER NOT NULL CHECK (amount >= 0), project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, max_completion_tokens INTEGER NOT NULL,
    input_per_1m INTEGER NOT NULL, output_per_1m INTEGER NOT NULL, rate INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL, deadline_at_ms INTEGER NOT NULL,
    checkpoint_completion_tokens INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO holds SELECT id, '${FORMER}', request_id, state, amount, project_id, key_id, model, prompt_tokens,
    max_completion_tokens, input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms, checkpoint_completion_tokens
    FROM former_holds`,
  "DROP TABLE former_holds",
  // The sum of the open holds, which never exceeds the balance.
  `ALTER TABLE accounts ADD COLUMN held INTEGER NOT NULL DEFAULT 0
    CHECK (held = 0 OR (name = 'balance' AND held > 0 AND held <= balance))`,
  "UPDATE accounts SET held = (SELECT coalesce(sum(amount), 0) FROM holds) WHERE name = 'balance'",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
