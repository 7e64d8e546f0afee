import { sql } from "kysely";
import type { openTemporaryDatabase } from "./open-temporary-database";

/** Fills a database with calls of one project and model. Amounts are nano-units. */
export function openStoredCalls<Store extends Awaited<ReturnType<typeof openTemporaryDatabase>>>(
  store: Store,
) {
  let calls = 0;
  const nextId = () => String(++calls).padStart(26, "0");
  return {
    store,
    queries: store.direct,
    /** Stores a charged call that took ten milliseconds for each nano-unit. */
    async charge(atMs: number, amount: number, { key = "key_1" }: { key?: string } = {}): Promise<void> {
      const id = nextId();
      await sql`
        INSERT INTO ledger_entries (id, kind, amount, created_at_ms, basis, request_id, project_id, key_id, model, held,
          started_at_ms, stream, outcome, status, duration_ms)
        VALUES (${`txn_${id}`}, 'charge', ${amount}, ${atMs}, 'reported', ${`req_${id}`}, 'proj_1', ${key}, 'm', ${amount},
          ${atMs}, 0, 'completed', 200, ${amount * 10})`.execute(store.direct);
    },
    async fail(atMs: number): Promise<void> {
      await sql`
        INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens)
        VALUES (${`req_${nextId()}`}, ${atMs}, 'proj_1', 'key_1', 'm', 0, 'provider_failed', 502, 1)`.execute(
        store.direct,
      );
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
