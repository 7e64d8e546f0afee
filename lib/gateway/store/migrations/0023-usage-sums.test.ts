import { expect, test } from "bun:test";
import { openSqlite, queryBuilderOf } from "../database";
import { openTemporaryDatabase } from "../open-temporary-database";
import { sumCalls } from "../sums/sum-calls";
import { up } from "./0023-usage-sums";

test("calls from before are summed anew, once each, with what the sums tell now", async () => {
  await using temporary = await openTemporaryDatabase();
  using sqlite = openSqlite(temporary.path);
  const atMs = Date.UTC(2027, 0, 15);
  for (const call of ["a", "b"]) {
    sqlite.run(
      `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, held, prompt_tokens,
         completion_tokens, started_at_ms, stream, outcome, status, duration_ms)
       VALUES (?, 'charge', 5, ?, ?, 'proj_1', 'key_1', 'm', 5, 10, 20, ?, 0, 'completed', 200, 30)`,
      [`txn_${call}`, atMs, `req_${call}`, atMs],
    );
  }
  sqlite.run(
    `INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens)
     VALUES ('req_c', ?, 'proj_1', 'key_1', 'm', 0, 'provider_failed', 502, 1)`,
    [atMs],
  );
  const sums = () =>
    sqlite.query("SELECT * FROM call_sums ORDER BY width_ms, outcome").all() as Record<string, unknown>[];
  await sumCalls(sqlite, async () => true);
  const before = sums();
  await up(queryBuilderOf(sqlite).withoutPlugins() as never);
  expect(sums()).toEqual([]);
  await sumCalls(sqlite, async () => true);
  expect(sums()).toEqual(before);
  expect(before[0]).toMatchObject({ calls: 2, amount: 10, prompt_tokens: 20, completion_tokens: 40 });
  expect(JSON.parse(String(before[0]?.durations))).toEqual({ 30: 2 });
});
