import { expect, test } from "bun:test";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../sums/sum-calls.sql";
import { listUsage } from "./list-usage.sql";
import type { UsageCursor, UsageRow } from "./usage-summary";

const START = Date.UTC(2027, 0, 15);
const NOON_MS = 12 * HOUR_MS;

async function charge(queries: Database, day: number, model = "m1"): Promise<void> {
  const atMs = START + day * DAY_MS + NOON_MS;
  const id = `txn_${day}${model}`;
  await sql`
    INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, prompt_tokens,
      completion_tokens, held, started_at_ms, stream, outcome, status, duration_ms)
    VALUES (${id}, 'charge', 5, ${atMs}, ${id}, 'proj_1', 'key_1', ${model}, 1, 1, 5, ${atMs}, 0, 'completed', 200,
      10)`.execute(queries);
}

/** The rows of ten days, read in pages of so many. */
async function listPages(queries: Database, limit: number, widthMs = HOUR_MS): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  const range = { filter: { projectIds: null }, fromMs: START, toMs: START + 10 * DAY_MS, isUntilNow: false };
  let after: UsageCursor | null = null;
  while (rows.length < 20) {
    const page = await listUsage(queries, { ...range, widthMs, groupBy: "model", after, limit });
    rows.push(...page);
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    after = { startMs: last.startMs, group: last.group };
  }
  return rows;
}

const describe = ({ startMs, group, requests, refusals }: UsageRow) => [
  (startMs - START) / DAY_MS,
  group,
  requests,
  refusals,
];

test("a day is listed whatever its only call is: summed or not yet, failed, or refused", async () => {
  await using store = await openTemporaryDatabase();
  const queries = store.direct;
  await charge(queries, 1);
  await sumCalls(queries, async () => true);
  await charge(queries, 3);
  await sql`
    INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, estimated_tokens)
    VALUES ('req_1', ${START + 5 * DAY_MS + NOON_MS}, 'proj_1', 'key_1', 'm1', 0, 'provider_failed', 502, 1)`.execute(
    queries,
  );
  // After its clock was set back, a process may store no refusal of this day in full.
  await sql`
    INSERT INTO refusal_counts VALUES (${START + 7 * DAY_MS + NOON_MS}, 'proj_1', 'key_1', 'm1', 'balance', 7, 1)`.execute(
    queries,
  );
  expect((await listPages(queries, 50)).map(describe)).toEqual([
    [1.5, "m1", 1, 0],
    [3.5, "m1", 1, 0],
    [5.5, "m1", 1, 0],
    [7.5, "m1", 0, 7],
  ]);
});

test.each([1, 2, 3])("pages of %i rows have each row once, in order", async (limit) => {
  await using store = await openTemporaryDatabase();
  const queries = store.direct;
  const days = [0, 2, 4];
  for (const day of days) for (const model of ["m1", "m2"]) await charge(queries, day, model);
  const expected = days.flatMap((day) => ["m1", "m2"].map((model) => [day + 0.5, model, 1, 0]));
  expect((await listPages(queries, limit)).map(describe)).toEqual(expected);
});
