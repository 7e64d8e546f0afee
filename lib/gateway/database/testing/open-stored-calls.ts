import { openSqlite } from "../open-sqlite";
import { openTemporarySqlite } from "./open-temporary-database";

/** Opens a database of calls of one project and model. Amounts are nano-units. */
export async function openStoredCalls() {
  const temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path);
  sqlite.run("PRAGMA synchronous = OFF");
  let calls = 0;
  const nextId = () => String(++calls).padStart(26, "0");
  return {
    sqlite,
    /** Stores a charged call that took ten milliseconds for each nano-unit. */
    charge(atMs: number, amount: number, { key = "key_1" }: { key?: string } = {}) {
      const id = nextId();
      sqlite.run(
        `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, basis, request_id, project_id, key_id, model, held,
           started_at_ms, stream, outcome, status, duration_ms)
         VALUES (?, 'charge', ?, ?, 'reported', ?, 'proj_1', ?, 'm', ?, ?, 0, 'completed', 200, ?)`,
        [`txn_${id}`, amount, atMs, `req_${id}`, key, amount, atMs, amount * 10],
      );
    },
    fail(atMs: number) {
      sqlite.run(
        `INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens)
         VALUES (?, ?, 'proj_1', 'key_1', 'm', 0, 'provider_failed', 502, 1)`,
        [`req_${nextId()}`, atMs],
      );
    },
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}
