import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openSqlite } from "../../database/open-sqlite";
import { openStoredCalls } from "../../database/testing/open-stored-calls";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../sums/sum-calls.sql";
import { readCached } from "./row-cache";
import { addLatencies, sumUsage } from "./sum-usage.sql";

const START = Date.UTC(2027, 0, 15);

function spentByProject(sqlite: Database, widthMs: number) {
  const range = { filter: { projectIds: null }, fromMs: START, toMs: START + 3 * DAY_MS, widthMs };
  return sumUsage(sqlite, { ...range, groupBy: "project_id" }).tallies.get("proj_1")?.sum.amount;
}

/** Returns the longest durations of a range of which only the whole has latencies, in days and in hours. */
function longestByProject(sqlite: Database, untilMs: number) {
  const range = { filter: { projectIds: null }, fromMs: START, toMs: untilMs, widthMs: START + 9 * DAY_MS };
  const query = { ...range, groupBy: "project_id" } as const;
  const { tallies } = sumUsage(sqlite, query);
  addLatencies(sqlite, tallies, query, false);
  return tallies.get("proj_1")?.figures().durationP95Ms;
}

test("the longest of finished days and hours that were read before is that of calls that are added late", async () => {
  await using calls = await openStoredCalls();
  calls.charge(START, 1);
  calls.charge(START + 3 * HOUR_MS, 1);
  calls.charge(START + 2 * DAY_MS, 1);
  await sumCalls(calls.sqlite, async () => true);
  const untils = [START + DAY_MS, START + 5 * HOUR_MS];
  for (const untilMs of untils) expect(longestByProject(calls.sqlite, untilMs)).toBe(10);
  calls.charge(START + HOUR_MS, 1_000);
  for (const untilMs of untils) expect(longestByProject(calls.sqlite, untilMs)).toBeGreaterThan(9_000);
  await sumCalls(calls.sqlite, async () => true);
  for (const untilMs of untils) expect(longestByProject(calls.sqlite, untilMs)).toBeGreaterThan(9_000);
});

test("sums of finished days and hours that were read before contain calls that are added late", async () => {
  await using calls = await openStoredCalls();
  calls.charge(START, 5);
  calls.charge(START + 2 * DAY_MS + 3 * HOUR_MS, 20);
  await sumCalls(calls.sqlite, async () => true);
  for (const width of [DAY_MS, HOUR_MS]) expect(spentByProject(calls.sqlite, width)).toBe(25n as never);
  calls.charge(START + 1, 300);
  for (const width of [DAY_MS, HOUR_MS]) expect(spentByProject(calls.sqlite, width)).toBe(325n as never);
  await sumCalls(calls.sqlite, async () => true);
  for (const width of [DAY_MS, HOUR_MS]) expect(spentByProject(calls.sqlite, width)).toBe(325n as never);
  calls.charge(START + 2 * DAY_MS + 3 * HOUR_MS + 1, 4_000);
  await sumCalls(calls.sqlite, async () => true);
  for (const width of [DAY_MS, HOUR_MS]) expect(spentByProject(calls.sqlite, width)).toBe(4_325n as never);
});

test("refusals of past days that were read before are counted anew after each change", async () => {
  await using temporary = await openTemporarySqlite();
  using sqlite = openSqlite(temporary.path);
  const refuse = (atMs: number) =>
    sqlite.run(
      `INSERT INTO refusal_counts VALUES (?, 'proj_1', 'key_1', 'm', 'balance', 1, 1)
       ON CONFLICT DO UPDATE SET refusals = refusals + 1`,
      [atMs - (atMs % MINUTE_MS)],
    );
  const count = (widthMs: number, fromMs = START) => {
    const range = { filter: { projectIds: null }, fromMs, toMs: START + 3 * DAY_MS + HOUR_MS, widthMs };
    const { tallies } = sumUsage(sqlite, { ...range, groupBy: "project_id" });
    return tallies.get("proj_1")?.sum.refusals ?? 0;
  };
  const expectRefusals = (whole: number, fromNoon: number) => {
    for (const width of [HOUR_MS, DAY_MS]) expect(count(width)).toBe(whole);
    expect(count(HOUR_MS, START + 12 * HOUR_MS)).toBe(fromNoon);
  };
  expectRefusals(0, 0);
  refuse(START + 1);
  refuse(START + DAY_MS);
  refuse(START + 3 * DAY_MS + 1);
  expectRefusals(3, 2);
  refuse(START + 1);
  refuse(START + 2 * DAY_MS - 1);
  expectRefusals(5, 3);
  refuse(START + 3 * DAY_MS + 1);
  expectRefusals(6, 4);
  sqlite.run("DELETE FROM refusal_counts WHERE minute_ms < ?", [START + DAY_MS]);
  expectRefusals(4, 4);
});

test("rows are kept until their version changes, or more is asked than is kept", async () => {
  await using temporary = await openTemporarySqlite();
  using sqlite = openSqlite(temporary.path);
  const read = (value: number, version: number) =>
    readCached(sqlite, {
      sql: "SELECT value * random() AS n FROM json_each(?)",
      values: [`[${value}]`],
      version,
    });
  const first = read(1, 0);
  expect(read(1, 0)).toBe(first);
  const second = read(1, 1);
  expect(second).not.toBe(first);
  for (let other = 2; other < 9_000; other++) {
    read(other, 1);
    if (other % 100 === 0) expect(read(1, 1)).toBe(second);
  }
  for (let other = 2; other < 9_000; other++) read(other, 1);
  expect(read(1, 1)).not.toBe(second);
});
