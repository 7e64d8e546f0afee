import { expect, test } from "bun:test";
import { sumCalls } from "../../log/sums/sum-calls.sql";
import { createQueryBuilder } from "../database";
import { openSqlite } from "../open-sqlite";
import { openTemporaryDatabase } from "../testing/open-temporary-database";
import { up } from "./0028-sums-by-provider";

test("existing sums stay unchanged, without a provider, and later sums continue from them", async () => {
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
  const sums = () =>
    sqlite.query("SELECT * FROM call_sums ORDER BY width_ms, provider").all() as Record<string, unknown>[];
  await sumCalls(sqlite, async () => true);
  const before = sums();
  for (const statement of [
    ...["project_id", "key_id", "model", "provider"].map((column) => `DROP INDEX call_sums_by_${column}`),
    "ALTER TABLE call_totals DROP COLUMN cached_tokens",
  ])
    sqlite.run(statement);
  await up(createQueryBuilder(sqlite).withoutPlugins() as never);
  // A later migration adds these, and without them no calls can be summed.
  for (const column of ["audio_prompt_tokens", "audio_completion_tokens"])
    sqlite.run(`ALTER TABLE call_sums ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`);
  expect(sums()).toEqual(before);
  expect(before[0]).toMatchObject({
    calls: 2,
    amount: 10,
    prompt_tokens: 20,
    provider: "",
    cached_tokens: 0,
  });
  sqlite.run(
    `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, held, prompt_tokens,
       completion_tokens, started_at_ms, stream, outcome, status, duration_ms, provider, cached_tokens)
     VALUES ('txn_c', 'charge', 5, ?, 'req_c', 'proj_1', 'key_1', 'm', 5, 10, 20, ?, 0, 'completed', 200, 30, 'p', 4)`,
    [atMs, atMs],
  );
  await sumCalls(sqlite, async () => true);
  expect(sums().map(({ provider, calls, cached_tokens }) => [provider, calls, cached_tokens])).toEqual(
    [0, 1, 2].flatMap(() => [
      ["", 2, 0],
      ["p", 1, 4],
    ]),
  );
});
