import { expect, test } from "bun:test";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { sumCalls } from "./sum-calls.sql";

const START = Date.UTC(2027, 0, 15);

test("sums by dimension that begin anew are added up from the sums of calls, also after interruptions", async () => {
  await using temporary = await openTemporaryDatabase();
  const queries = temporary.direct;
  for (let call = 0; call < 60; call++) {
    const atMs = START + call * HOUR_MS;
    const id = `txn_${String(call).padStart(26, "0")}`;
    await sql`
      INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, held,
        prompt_tokens, completion_tokens, started_at_ms, stream, outcome, status, duration_ms)
      VALUES (${id}, 'charge', 5, ${atMs}, ${id}, ${`proj_${call % 2}`}, 'key_1', 'm', 5, 10, 20, ${atMs}, 0, 'completed',
        200, 30)`.execute(queries);
  }
  await sumCalls(queries, async () => true);
  const tables = ["sums_by_dimension", "latencies_by_dimension"];
  const sums = () =>
    Promise.all(
      tables.map(async (table) => {
        const all = sql`SELECT * FROM ${sql.table(table)} ORDER BY dimension, width_ms, start_ms, value`;
        return (await all.execute(queries)).rows;
      }),
    );
  const before = await sums();
  const ofDays = await sql<object>`
    SELECT value, requests, amount FROM sums_by_dimension WHERE dimension = 'project_id' AND width_ms = ${DAY_MS}
    ORDER BY start_ms, value`.execute(queries);
  expect(ofDays.rows.map((row) => Object.values(row))).toEqual(
    [0, 1].flatMap(() => [0, 1].map((project) => [`proj_${project}`, 12, 60])),
  );
  for (const table of tables) await sql`DELETE FROM ${sql.table(table)}`.execute(queries);
  await sql`UPDATE sums_by_dimension_end SET until_ms = 0`.execute(queries);
  let steps = 0;
  const someSteps = async () => ++steps % 7 > 0;
  for (let run = 0; run < 40; run++) await sumCalls(queries, someSteps);
  expect(steps).toBeGreaterThan(7);
  expect(await sums()).toEqual(before);
});
