import { type Kysely, sql } from "kysely";

/** Media is priced by the unit; `units` are millionths of one. */
const UNIT_PRICE = ["unit TEXT", "units INTEGER", "unit_price INTEGER"];

const added: Readonly<Record<string, readonly string[]>> = {
  models: ["unit_price TEXT"],
  model_prices: ["unit_price TEXT"],
  holds: ["task_id TEXT", ...UNIT_PRICE],
  ledger_entries: UNIT_PRICE,
};

const fixed = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens, unit, units, unit_price`;

const statements = [
  "DROP TRIGGER ledger_entries_are_not_changed",
  `CREATE TRIGGER ledger_entries_are_not_changed BEFORE UPDATE OF ${fixed} ON ledger_entries
    BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END`,
  `CREATE TABLE tasks (
    id TEXT PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, project_id TEXT NOT NULL, key_id TEXT NOT NULL, model TEXT NOT NULL,
    family TEXT NOT NULL CHECK (family IN ('image', 'video', 'music')),
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
    input TEXT, callback_url TEXT, provider TEXT, provider_model TEXT, remote_id TEXT, dispatched_at_ms INTEGER,
    is_state_unknown INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, progress INTEGER,
    created_at_ms INTEGER NOT NULL, started_at_ms INTEGER, ended_at_ms INTEGER, deadline_at_ms INTEGER NOT NULL,
    due_at_ms INTEGER, claimed_by TEXT, claimed_until_ms INTEGER, cancel_requested_at_ms INTEGER, error TEXT, outputs TEXT,
    outputs_deleted_at_ms INTEGER,
    CHECK ((ended_at_ms IS NULL) = (status IN ('queued', 'running'))),
    CHECK ((ended_at_ms IS NULL) = (due_at_ms IS NOT NULL))
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX tasks_due ON tasks(due_at_ms) WHERE due_at_ms IS NOT NULL",
  "CREATE INDEX tasks_by_project ON tasks(project_id, id)",
  "CREATE INDEX tasks_by_model ON tasks(model, id)",
  "CREATE INDEX tasks_by_status ON tasks(status, id)",
  "CREATE INDEX tasks_with_outputs ON tasks(ended_at_ms) WHERE status = 'succeeded' AND outputs_deleted_at_ms IS NULL",
  "CREATE INDEX holds_by_task ON holds(task_id) WHERE task_id IS NOT NULL",
  // A final status never changes.
  `CREATE TRIGGER ended_tasks_stay_ended BEFORE UPDATE OF status ON tasks WHEN OLD.ended_at_ms IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a task that has ended stays as it is'); END`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(added))
    for (const column of columns)
      await sql.raw(`ALTER TABLE ${table} ADD COLUMN ${column}`).execute(database);
  for (const statement of statements) await sql.raw(statement).execute(database);
}
