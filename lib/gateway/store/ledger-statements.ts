import type { Database } from "bun:sqlite";

const OPEN = "state IN ('created', 'dispatched')";

const entryColumns = `id, kind, from_account, to_account, amount, created_at_ms, basis, prompt_tokens,
  completion_tokens, hold_id, request_id, project_id, key_id, model, input_per_1m, output_per_1m, rate`;

const holdColumns = `id, request_id, amount, project_id, key_id, model, prompt_tokens, max_completion_tokens,
  input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms`;

/** The ledger's writes, prepared once. Parameters are positional and in the order of the columns. */
export function prepareLedgerStatements(sqlite: Database) {
  const resolve = (state: string) =>
    sqlite.prepare<null, [number, string]>(
      `UPDATE holds SET state = '${state}', resolved_at_ms = ? WHERE id = ? AND ${OPEN}`,
    );
  const entry = (kind: string, from: string, to: string) =>
    sqlite.prepare(
      `INSERT INTO ledger_entries (${entryColumns}) VALUES (?, '${kind}', '${from}', '${to}'${", ?".repeat(13)})`,
    );
  return {
    balance: sqlite.prepare<{ balance: bigint }, []>("SELECT balance FROM accounts WHERE name = 'balance'"),
    /** Takes from an account only what it has, where it is the balance. */
    moveOut: sqlite.prepare<null, [bigint, string, string, bigint]>(
      "UPDATE accounts SET balance = balance - ? WHERE name = ? AND (? <> 'balance' OR balance >= ?)",
    ),
    moveIn: sqlite.prepare<null, [bigint, string]>(
      "UPDATE accounts SET balance = balance + ? WHERE name = ?",
    ),
    placeHold: sqlite.prepare(
      `INSERT INTO holds (state, ${holdColumns}, dispatched_at_ms)
       VALUES ('dispatched', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?12)`,
    ),
    postHold: resolve("posted"),
    releaseHold: resolve("released"),
    charge: entry("charge", "balance", "charges"),
    variance: entry("provider_variance", "provider_variance", "charges"),
    checkpoint: sqlite.prepare<null, [number, string]>(
      `UPDATE holds SET checkpoint_completion_tokens = ? WHERE id = ? AND ${OPEN}`,
    ),
    logCall: sqlite.prepare(
      `INSERT INTO request_log (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens,
         prompt_tokens, completion_tokens, first_byte_ms, duration_ms) VALUES (?${", ?".repeat(12)})`,
    ),
    logRefusal: sqlite.prepare(
      `INSERT INTO request_log (id, at_ms, project_id, key_id, model, stream, outcome, status, refused_by,
         estimated_tokens) VALUES (?, ?, ?, ?, ?, ?, 'refused', ?, ?, ?)`,
    ),
    payment: sqlite.prepare(
      `INSERT INTO ledger_entries (id, kind, amount, from_account, to_account, created_at_ms, reference)
       VALUES (?, 'payment', ?, 'payments', 'balance', ?, ?)`,
    ),
    findIdempotent: sqlite.prepare<
      { body_hash: string; reply: string },
      { scope: string; key: string; since: number }
    >(
      `SELECT body_hash, reply FROM idempotency_keys
       WHERE scope = $scope AND key = $key AND created_at_ms > $since`,
    ),
    keepIdempotent: sqlite.prepare(
      "INSERT OR REPLACE INTO idempotency_keys (scope, key, body_hash, reply, created_at_ms) VALUES (?, ?, ?, ?, ?)",
    ),
    openHolds: sqlite.prepare<HoldRow, []>(
      `SELECT state, checkpoint_completion_tokens, ${holdColumns} FROM holds WHERE ${OPEN}`,
    ),
  };
}

export type LedgerStatements = ReturnType<typeof prepareLedgerStatements>;

/** A hold nobody has resolved, as the store has it; integers are bigint on the writer's connection. */
export interface HoldRow {
  state: "created" | "dispatched";
  checkpoint_completion_tokens: bigint;
  id: string;
  request_id: string;
  amount: bigint;
  project_id: string;
  key_id: string;
  model: string;
  prompt_tokens: bigint;
  max_completion_tokens: bigint;
  input_per_1m: bigint;
  output_per_1m: bigint;
  rate: bigint;
  created_at_ms: bigint;
  deadline_at_ms: bigint;
}
