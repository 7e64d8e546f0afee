import type { Database } from "bun:sqlite";

const OPEN = "state IN ('created', 'dispatched')";

const entryColumns = `id, kind, amount, from_account, to_account, created_at_ms, basis, hold_id, request_id,
  project_id, key_id, model, prompt_tokens, completion_tokens, input_per_1m, output_per_1m, rate`;

/** The ledger's writes, prepared once. Parameters are positional and in the order of the columns. */
export function prepareLedgerStatements(sqlite: Database) {
  const resolve = (state: string) =>
    sqlite.prepare<{ amount: bigint }, [number, string]>(
      `UPDATE holds SET state = '${state}', resolved_at_ms = ? WHERE id = ? AND ${OPEN} RETURNING amount`,
    );
  const entry = (kind: string, from: string, to: string) =>
    sqlite.prepare<null, [string, bigint, number, string | null, number, number, string]>(
      `INSERT INTO ledger_entries (${entryColumns})
       SELECT ?, '${kind}', ?, '${from}', '${to}', ?, ?, id, request_id, project_id, key_id, model, ?, ?,
         input_per_1m, output_per_1m, rate FROM holds WHERE id = ?`,
    );
  return {
    balance: sqlite.prepare<{ balance: bigint }, []>("SELECT balance FROM accounts WHERE name = 'balance'"),
    heldTotal: sqlite.prepare<{ held: bigint }, []>(
      `SELECT coalesce(sum(amount), 0) AS held FROM holds WHERE ${OPEN}`,
    ),
    /** Takes from an account only what it has, where it is the balance. */
    moveOut: sqlite.prepare<null, [bigint, string, string, bigint]>(
      "UPDATE accounts SET balance = balance - ? WHERE name = ? AND (? <> 'balance' OR balance >= ?)",
    ),
    moveIn: sqlite.prepare<null, [bigint, string]>(
      "UPDATE accounts SET balance = balance + ? WHERE name = ?",
    ),
    placeHold: sqlite.prepare(
      `INSERT INTO holds (id, request_id, state, amount, project_id, key_id, model, prompt_tokens,
         max_completion_tokens, input_per_1m, output_per_1m, rate, created_at_ms, deadline_at_ms, dispatched_at_ms)
       VALUES (?1, ?2, 'dispatched', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?12)`,
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
         prompt_tokens, completion_tokens, first_byte_ms, duration_ms)
       SELECT request_id, created_at_ms, project_id, key_id, model, ?, ?, ?, ?, ?, ?, ?, ? FROM holds WHERE id = ?`,
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
    openHolds: sqlite.prepare<OpenHold, []>(
      `SELECT id, state, amount, prompt_tokens, checkpoint_completion_tokens, max_completion_tokens,
         input_per_1m, output_per_1m, rate, created_at_ms FROM holds WHERE ${OPEN}`,
    ),
  };
}

export type LedgerStatements = ReturnType<typeof prepareLedgerStatements>;

/** A hold nobody has resolved, as the store has it; integers are bigint on the writer's connection. */
export interface OpenHold {
  id: string;
  state: "created" | "dispatched";
  amount: bigint;
  prompt_tokens: bigint;
  checkpoint_completion_tokens: bigint;
  max_completion_tokens: bigint;
  input_per_1m: bigint;
  output_per_1m: bigint;
  rate: bigint;
  created_at_ms: bigint;
}
