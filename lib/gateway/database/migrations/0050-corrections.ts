import { type Kysely, sql } from "kysely";

/** All columns that are copied: every one except the two generated columns. */
const kept = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens, trace, balance_after, unit, units, unit_price, note`;

/** The columns that never change. Others do: a trace is deleted after its retention, and the balance is set once. */
const fixed = `seq, id, kind, amount, created_at_ms, reference, basis, request_id, project_id, key_id, model, prompt_tokens,
  completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
  first_byte_ms, duration_ms, hash, provider, cached_tokens, unit, units, unit_price, note, corrects, reason`;

const IMMUTABLE = "BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END";

/**
 * Adds corrections: entries that reverse an earlier one, named by `corrects`, wholly or in part. A correction of a
 * charge has its `request_id`, one of a payment none; that determines the two accounts. SQLite can't change an unnamed
 * CHECK or a generated column, so the table is copied; the new checks have names.
 */
const statements = [
  "DROP VIEW request_log",
  `CREATE TABLE new_ledger_entries (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, amount INTEGER NOT NULL,
    from_account TEXT NOT NULL AS (CASE kind WHEN 'charge' THEN 'balance' WHEN 'payment' THEN 'payments'
      WHEN 'correction' THEN iif(request_id IS NULL, 'balance', 'charges') ELSE kind END),
    to_account TEXT NOT NULL AS (CASE kind WHEN 'payment' THEN 'balance'
      WHEN 'correction' THEN iif(request_id IS NULL, 'payments', 'balance') ELSE 'charges' END),
    created_at_ms INTEGER NOT NULL, reference TEXT, basis TEXT,
    request_id TEXT, project_id TEXT, key_id TEXT, model TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
    input_per_1m INTEGER, output_per_1m INTEGER, rate INTEGER,
    held INTEGER, started_at_ms INTEGER, stream INTEGER, outcome TEXT, status INTEGER, estimated_tokens INTEGER,
    first_byte_ms INTEGER, duration_ms INTEGER, hash BLOB, provider TEXT, cached_tokens INTEGER, trace TEXT,
    balance_after INTEGER, unit TEXT, units INTEGER, unit_price INTEGER, note TEXT, corrects TEXT, reason TEXT,
    CONSTRAINT ledger_entries_basis CHECK (basis = 'reported' OR basis = 'estimated' OR basis = 'interrupted'),
    CONSTRAINT ledger_entries_kind CHECK (CASE kind
      WHEN 'charge' THEN amount >= 0 AND amount <= held AND id = 'txn_' || substr(request_id, 5) AND corrects IS NULL
      WHEN 'payment' THEN amount >= 0 AND corrects IS NULL
      WHEN 'provider_variance' THEN amount >= 0 AND corrects IS NULL
      WHEN 'correction' THEN amount > 0 AND corrects IS NOT NULL AND corrects <> id AND reason IS NOT NULL
      ELSE 0 END)
  ) STRICT`,
  `INSERT INTO new_ledger_entries (${kept}) SELECT ${kept} FROM ledger_entries ORDER BY seq`,
  "DROP TABLE ledger_entries",
  "ALTER TABLE new_ledger_entries RENAME TO ledger_entries",
  "CREATE INDEX ledger_entries_variances ON ledger_entries(request_id) WHERE kind = 'provider_variance'",
  "CREATE INDEX ledger_entries_payments ON ledger_entries(seq) WHERE kind = 'payment'",
  "CREATE INDEX ledger_entries_uncalled ON ledger_entries(kind) WHERE kind <> 'charge'",
  "CREATE INDEX ledger_entries_corrections ON ledger_entries(corrects) WHERE kind = 'correction'",
  `CREATE TRIGGER ledger_entries_are_not_changed BEFORE UPDATE OF ${fixed} ON ledger_entries ${IMMUTABLE}`,
  `CREATE TRIGGER ledger_entries_are_not_deleted BEFORE DELETE ON ledger_entries ${IMMUTABLE}`,
  `CREATE TRIGGER ledger_entries_keep_their_balance BEFORE UPDATE OF balance_after ON ledger_entries
    WHEN OLD.balance_after IS NOT NULL ${IMMUTABLE}`,
  `CREATE TRIGGER ledger_entries_keep_their_trace BEFORE UPDATE OF trace ON ledger_entries WHEN NEW.trace IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a trace is deleted, never changed'); END`,
  `CREATE VIEW request_log AS
    SELECT request_id AS id, started_at_ms AS at_ms, project_id, key_id, model, stream, outcome, status,
      NULL AS refused_by, held, estimated_tokens, prompt_tokens, completion_tokens, first_byte_ms, duration_ms
    FROM ledger_entries WHERE kind = 'charge'
    UNION ALL
    SELECT id, at_ms, project_id, key_id, model, stream, outcome, status,
      refused_by, held, estimated_tokens, NULL, NULL, first_byte_ms, duration_ms
    FROM uncharged_calls`,
  // For a pending correction, the corrected entry. Its reason is separate from `reason`, which says why it was
  // declined.
  "ALTER TABLE pending_payments ADD COLUMN corrects TEXT",
  `ALTER TABLE pending_payments ADD COLUMN correction_reason TEXT
    CHECK ((corrects IS NULL) = (correction_reason IS NULL))`,
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}
