import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import type { Database } from "../../database/database";
import { sql } from "../../database/fragment";
import { openStoredCalls } from "../../database/testing/open-stored-calls";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../sums/sum-calls.sql";
import { readCached } from "./row-cache";
import { addLatencies, sumUsage } from "./sum-usage.sql";

const START = Date.UTC(2027, 0, 15);

async function spentByProject(queries: Database, widthMs: number) {
  const range = { filter: { projectIds: null }, fromMs: START, toMs: START + 3 * DAY_MS, widthMs };
  const { tallies } = await sumUsage(queries, { ...range, groupBy: "project_id" });
  return tallies.get("proj_1")?.sum.amount;
}

/** Returns the longest durations of a range of which only the whole has latencies, in days and in hours. */
async function longestByProject(queries: Database, untilMs: number) {
  const range = { filter: { projectIds: null }, fromMs: START, toMs: untilMs, widthMs: START + 9 * DAY_MS };
  const query = { ...range, groupBy: "project_id" } as const;
  const { tallies } = await sumUsage(queries, query);
  await addLatencies(queries, tallies, query, false);
  return tallies.get("proj_1")?.figures().durationP95Ms;
}

test("the longest of finished days and hours that were read before is that of calls that are added late", async () => {
  await using calls = openStoredCalls(await openTemporaryDatabase());
  await calls.charge(START, 1);
  await calls.charge(START + 3 * HOUR_MS, 1);
  await calls.charge(START + 2 * DAY_MS, 1);
  await sumCalls(calls.queries, async () => true);
  const untils = [START + DAY_MS, START + 5 * HOUR_MS];
  for (const untilMs of untils) expect(await longestByProject(calls.queries, untilMs)).toBe(10);
  await calls.charge(START + HOUR_MS, 1_000);
  for (const untilMs of untils) expect(await longestByProject(calls.queries, untilMs)).toBeGreaterThan(9_000);
  await sumCalls(calls.queries, async () => true);
  for (const untilMs of untils) expect(await longestByProject(calls.queries, untilMs)).toBeGreaterThan(9_000);
});

test("sums of finished days and hours that were read before contain calls that are added late", async () => {
  await using calls = openStoredCalls(await openTemporaryDatabase());
  await calls.charge(START, 5);
  await calls.charge(START + 2 * DAY_MS + 3 * HOUR_MS, 20);
  await sumCalls(calls.queries, async () => true);
  for (const width of [DAY_MS, HOUR_MS])
    expect(await spentByProject(calls.queries, width)).toBe(25n as never);
  await calls.charge(START + 1, 300);
  for (const width of [DAY_MS, HOUR_MS])
    expect(await spentByProject(calls.queries, width)).toBe(325n as never);
  await sumCalls(calls.queries, async () => true);
  for (const width of [DAY_MS, HOUR_MS])
    expect(await spentByProject(calls.queries, width)).toBe(325n as never);
  await calls.charge(START + 2 * DAY_MS + 3 * HOUR_MS + 1, 4_000);
  await sumCalls(calls.queries, async () => true);
  for (const width of [DAY_MS, HOUR_MS])
    expect(await spentByProject(calls.queries, width)).toBe(4_325n as never);
});

test("refusals of past days that were read before are counted anew after each change", async () => {
  await using temporary = await openTemporaryDatabase();
  const queries = temporary.direct;
  const refuse = (atMs: number) =>
    sql`INSERT INTO refusal_counts VALUES (${atMs - (atMs % MINUTE_MS)}, 'proj_1', 'key_1', 'm', 'balance', 1, 1)
      ON CONFLICT (minute_ms, project_id, key_id, model, refused_by)
      DO UPDATE SET refusals = refusal_counts.refusals + 1`.execute(queries);
  const count = async (widthMs: number, fromMs = START) => {
    const range = { filter: { projectIds: null }, fromMs, toMs: START + 3 * DAY_MS + HOUR_MS, widthMs };
    const { tallies } = await sumUsage(queries, { ...range, groupBy: "project_id" });
    return tallies.get("proj_1")?.sum.refusals ?? 0;
  };
  const expectRefusals = async (whole: number, fromNoon: number) => {
    for (const width of [HOUR_MS, DAY_MS]) expect(await count(width)).toBe(whole);
    expect(await count(HOUR_MS, START + 12 * HOUR_MS)).toBe(fromNoon);
  };
  await expectRefusals(0, 0);
  await refuse(START + 1);
  await refuse(START + DAY_MS);
  await refuse(START + 3 * DAY_MS + 1);
  await expectRefusals(3, 2);
  await refuse(START + 1);
  await refuse(START + 2 * DAY_MS - 1);
  await expectRefusals(5, 3);
  await refuse(START + 3 * DAY_MS + 1);
  await expectRefusals(6, 4);
  await sql`DELETE FROM refusal_counts WHERE minute_ms < ${START + DAY_MS}`.execute(queries);
  await expectRefusals(4, 4);
});

test("rows are kept until their version changes, or more is asked than is kept", async () => {
  await using temporary = await openTemporaryDatabase();
  const read = (value: number, version: number) =>
    readCached(temporary.direct, sql`SELECT cast(${value} AS double precision) * random() AS n`, version);
  const first = await read(1, 0);
  expect(await read(1, 0)).toBe(first);
  const second = await read(1, 1);
  expect(second).not.toBe(first);
  for (let other = 2; other < 9_000; other++) {
    await read(other, 1);
    if (other % 100 === 0) expect(await read(1, 1)).toBe(second);
  }
  for (let other = 2; other < 9_000; other++) await read(other, 1);
  expect(await read(1, 1)).not.toBe(second);
});
