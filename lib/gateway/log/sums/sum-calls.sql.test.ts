import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openStoredCalls } from "../../database/testing/open-stored-calls";
import { SUMMING_BATCH_SIZE, sumCalls } from "./sum-calls.sql";

const START = Date.UTC(2027, 0, 15);

async function openCalls() {
  const stored = await openStoredCalls();
  return {
    ...stored,
    sums: (widthMs: number) =>
      stored.sqlite
        .query<Record<string, number | string>, [number]>(
          `SELECT start_ms, key_id, outcome, calls, amount, max_amount, max_duration_ms FROM call_sums
           WHERE width_ms = ? ORDER BY start_ms, key_id, outcome`,
        )
        .all(widthMs)
        .map((row) => Object.values(row)),
  };
}

const goOn = async () => true;

test("sums calls once by hour and day, including late and concurrent ones", async () => {
  await using calls = await openCalls();
  calls.charge(START, 5);
  calls.charge(START + 1, 7);
  calls.charge(START + HOUR_MS, 1, { key: "key_2" });
  calls.fail(START + 2);
  await sumCalls(calls.sqlite, goOn);
  await sumCalls(calls.sqlite, goOn);
  // In an hour that was already summed: a call that took long.
  calls.charge(START + 3, 100);
  calls.fail(START + 4);
  await sumCalls(calls.sqlite, goOn);
  expect(calls.sums(HOUR_MS)).toEqual([
    [START, "key_1", "completed", 3, 112, 100, 1000],
    [START, "key_1", "provider_failed", 2, 0, 0, 0],
    [START + HOUR_MS, "key_2", "completed", 1, 1, 1, 10],
  ]);
  expect(calls.sums(24 * HOUR_MS).map(([, , , count]) => count)).toEqual([3, 2, 1]);
});

test("a call that is written just before a step begins is summed, not forgotten", async () => {
  await using calls = await openCalls();
  calls.charge(START, 5);
  const begin = calls.sqlite.transaction.bind(calls.sqlite);
  let lateCalls = 1;
  calls.sqlite.transaction = (work) => {
    if (lateCalls-- > 0) calls.fail(START + 1);
    return begin(work);
  };
  await sumCalls(calls.sqlite, goOn);
  expect(calls.sums(HOUR_MS)).toEqual([
    [START, "key_1", "completed", 1, 5, 5, 50],
    [START, "key_1", "provider_failed", 1, 0, 0, 0],
  ]);
});

test("more calls than one step holds are summed in several, and a stopped sum continues later", async () => {
  await using calls = await openCalls();
  for (let call = 0; call < 450; call++) calls.charge(START + call, 1);
  for (let call = 0; call < 250; call++) calls.fail(START + call);
  const total = () => calls.sums(24 * HOUR_MS).reduce((sum, [, , , count]) => sum + Number(count), 0);
  await sumCalls(calls.sqlite, async () => false);
  expect(total()).toBe(2 * SUMMING_BATCH_SIZE);
  await sumCalls(calls.sqlite, goOn);
  expect(total()).toBe(700);
});

test("sums of minutes are of the last two days, those of hours and days of all time", async () => {
  await using calls = await openCalls();
  calls.charge(START, 1);
  calls.charge(START + 3 * DAY_MS, 2);
  await sumCalls(calls.sqlite, goOn);
  const starts = (widthMs: number) => calls.sums(widthMs).map(([start]) => start);
  expect(starts(60_000)).toEqual([START + 3 * DAY_MS]);
  calls.charge(START + 6 * DAY_MS, 3);
  await sumCalls(calls.sqlite, goOn);
  expect(starts(60_000)).toEqual([START + 6 * DAY_MS]);
  expect(starts(HOUR_MS)).toEqual([START, START + 3 * DAY_MS, START + 6 * DAY_MS]);
  expect(starts(DAY_MS)).toEqual(starts(HOUR_MS));
});

test("the totals of minutes are those of their sums after every step, also while old minutes are deleted", async () => {
  await using calls = await openCalls();
  for (let minute = 0; minute < 120; minute++) calls.charge(START + minute * MINUTE_MS, 1);
  await sumCalls(calls.sqlite, goOn);
  calls.charge(START + 72 * HOUR_MS, 1);
  const readMinutes = (table: string) =>
    calls.sqlite.query(`SELECT start_ms, calls FROM ${table} WHERE width_ms = 60000 ORDER BY start_ms`).all();
  let steps = 0;
  await sumCalls(calls.sqlite, async () => {
    expect(readMinutes("call_totals")).toEqual(readMinutes("call_sums"));
    return ++steps < 100;
  });
  expect(steps).toBeGreaterThan(3);
  expect(readMinutes("call_sums")).toHaveLength(1);
});
