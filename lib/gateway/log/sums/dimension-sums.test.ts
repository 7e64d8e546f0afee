import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { sumCalls } from "./sum-calls.sql";

const START = Date.UTC(2027, 0, 15);

test("sums by dimension that begin anew are added up from the sums of calls, also after interruptions", async () => {
  await using temporary = await openTemporarySqlite();
  using sqlite = openSqlite(temporary.path);
  sqlite.run("PRAGMA synchronous = OFF");
  for (let call = 0; call < 60; call++) {
    const atMs = START + call * HOUR_MS;
    sqlite.run(
      `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, held, prompt_tokens,
         completion_tokens, started_at_ms, stream, outcome, status, duration_ms)
       VALUES (?1, 'charge', 5, ?2, ?1, ?3, 'key_1', 'm', 5, 10, 20, ?2, 0, 'completed', 200, 30)`,
      [`txn_${String(call).padStart(26, "0")}`, atMs, `proj_${call % 2}`],
    );
  }
  await sumCalls(sqlite, async () => true);
  const sums = () =>
    ["sums_by_dimension", "latencies_by_dimension"].map((table) =>
      sqlite.query(`SELECT * FROM ${table} ORDER BY dimension, width_ms, start_ms, value`).all(),
    );
  const before = sums();
  expect(
    sqlite
      .query("SELECT value, requests, amount FROM sums_by_dimension WHERE dimension = ? AND width_ms = ?")
      .values("project_id", DAY_MS),
  ).toEqual([0, 1].flatMap(() => [0, 1].map((project) => [`proj_${project}`, 12, 60])));
  for (const table of ["sums_by_dimension", "latencies_by_dimension"]) sqlite.run(`DELETE FROM ${table}`);
  sqlite.run("UPDATE sums_by_dimension_end SET until_ms = 0");
  let steps = 0;
  const someSteps = async () => ++steps % 7 > 0;
  for (let run = 0; run < 40; run++) await sumCalls(sqlite, someSteps);
  expect(steps).toBeGreaterThan(7);
  expect(sums()).toEqual(before);
});
