import { type Kysely, sql } from "kysely";

const fixed = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens`;

/**
 * The details of receipts besides the charge: the provider and the cached tokens, and a trace with the attempts, the
 * client and the checks. Traces are deleted with the request log.
 */
const statements = [
  "ALTER TABLE ledger_entries ADD COLUMN provider TEXT",
  "ALTER TABLE ledger_entries ADD COLUMN cached_tokens INTEGER",
  "ALTER TABLE ledger_entries ADD COLUMN trace TEXT",
  "ALTER TABLE uncharged_calls ADD COLUMN provider TEXT",
  "ALTER TABLE uncharged_calls ADD COLUMN trace TEXT",
  "DROP TRIGGER ledger_entries_are_not_changed",
  `CREATE TRIGGER ledger_entries_are_not_changed BEFORE UPDATE OF ${fixed} ON ledger_entries
    BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END`,
  `CREATE TRIGGER ledger_entries_keep_their_trace BEFORE UPDATE OF trace ON ledger_entries WHEN NEW.trace IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a trace is deleted, never changed'); END`,
  "CREATE TABLE call_traces_end (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT",
  "INSERT INTO call_traces_end (one, id) VALUES (1, '')",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
