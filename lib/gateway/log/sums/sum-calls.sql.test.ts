import { expect, test } from "bun:test";
import { sql } from "kysely";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openStoredCalls } from "../../database/testing/open-stored-calls";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { isBusy } from "./claim-sums.sql";
import { SUMMING_BATCH_SIZE, sumCalls } from "./sum-calls.sql";

const START = Date.UTC(2027, 0, 15);

async function openCalls() {
  const stored = openStoredCalls(await openTemporaryDatabase());
  return {
    ...stored,
    async sums(widthMs: number) {
      const { rows } = await sql<Record<string, number | string>>`
        SELECT start_ms, key_id, outcome, calls, amount, max_amount, max_duration_ms FROM call_sums
        WHERE width_ms = ${widthMs} ORDER BY start_ms, key_id, outcome`.execute(stored.queries);
      return rows.map((row) => Object.values(row));
    },
  };
}

const goOn = async () => true;

test("sums calls once by hour and day, including late and concurrent ones", async () => {
  await using calls = await openCalls();
  await calls.charge(START, 5);
  await calls.charge(START + 1, 7);
  await calls.charge(START + HOUR_MS, 1, { key: "key_2" });
  await calls.fail(START + 2);
  await sumCalls(calls.queries, goOn);
  await sumCalls(calls.queries, goOn);
  // In an hour that was already summed: a call that took long.
  await calls.charge(START + 3, 100);
  await calls.fail(START + 4);
  await sumCalls(calls.queries, goOn);
  expect(await calls.sums(HOUR_MS)).toEqual([
    [START, "key_1", "completed", 3, 112, 100, 1000],
    [START, "key_1", "provider_failed", 2, 0, 0, 0],
    [START + HOUR_MS, "key_2", "completed", 1, 1, 1, 10],
  ]);
  expect((await calls.sums(24 * HOUR_MS)).map(([, , , count]) => count)).toEqual([3, 2, 1]);
});

test("a call that is written just before a step begins is summed, not forgotten", async () => {
  await using calls = await openCalls();
  await calls.charge(START, 5);
  const { queries } = calls;
  const begin = queries.transaction.bind(queries);
  let lateCalls = 1;
  queries.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      if (lateCalls-- > 0) await calls.fail(START + 1);
      return execute(work);
    };
    return builder;
  };
  await sumCalls(queries, goOn);
  expect(await calls.sums(HOUR_MS)).toEqual([
    [START, "key_1", "completed", 1, 5, 5, 50],
    [START, "key_1", "provider_failed", 1, 0, 0, 0],
  ]);
});

test("more calls than one step holds are summed in several, and a stopped sum continues later", async () => {
  await using calls = await openCalls();
  for (let call = 0; call < 450; call++) await calls.charge(START + call, 1);
  for (let call = 0; call < 250; call++) await calls.fail(START + call);
  const total = async () =>
    (await calls.sums(24 * HOUR_MS)).reduce((sum, [, , , count]) => sum + Number(count), 0);
  await sumCalls(calls.queries, async () => false);
  expect(await total()).toBe(2 * SUMMING_BATCH_SIZE);
  await sumCalls(calls.queries, goOn);
  expect(await total()).toBe(700);
});

test("of those that sum at the same time one does, and each call is summed once", async () => {
  await using calls = await openCalls();
  for (let call = 0; call < 350; call++) await calls.charge(START + call, 1);
  for (let call = 0; call < 150; call++) await calls.fail(START + call);
  const all = [1, 2, 3].map(() => sumCalls(calls.queries, goOn, () => 20));
  for (const result of await Promise.allSettled(all))
    if (result.status === "rejected") expect(isBusy(result.reason)).toBe(true);
  await sumCalls(calls.queries, goOn);
  expect(await calls.sums(HOUR_MS)).toEqual([
    [START, "key_1", "completed", 350, 350, 1, 10],
    [START, "key_1", "provider_failed", 150, 0, 0, 0],
  ]);
});

test("sums of minutes are of the last two days, those of hours and days of all time", async () => {
  await using calls = await openCalls();
  await calls.charge(START, 1);
  await calls.charge(START + 3 * DAY_MS, 2);
  await sumCalls(calls.queries, goOn);
  const starts = async (widthMs: number) => (await calls.sums(widthMs)).map(([start]) => start);
  expect(await starts(60_000)).toEqual([START + 3 * DAY_MS]);
  await calls.charge(START + 6 * DAY_MS, 3);
  await sumCalls(calls.queries, goOn);
  expect(await starts(60_000)).toEqual([START + 6 * DAY_MS]);
  expect(await starts(HOUR_MS)).toEqual([START, START + 3 * DAY_MS, START + 6 * DAY_MS]);
  expect(await starts(DAY_MS)).toEqual(await starts(HOUR_MS));
});

test("the totals of minutes are those of their sums after every step, also while old minutes are deleted", async () => {
  await using calls = await openCalls();
  for (let minute = 0; minute < 120; minute++) await calls.charge(START + minute * MINUTE_MS, 1);
  await sumCalls(calls.queries, goOn);
  await calls.charge(START + 72 * HOUR_MS, 1);
  const readMinutes = async (table: string) => {
    const minutes = sql`SELECT start_ms, calls FROM ${sql.table(table)} WHERE width_ms = 60000 ORDER BY start_ms`;
    return (await minutes.execute(calls.queries)).rows;
  };
  let steps = 0;
  await sumCalls(calls.queries, async () => {
    expect(await readMinutes("call_totals")).toEqual(await readMinutes("call_sums"));
    return ++steps < 100;
  });
  expect(steps).toBeGreaterThan(3);
  expect(await readMinutes("call_sums")).toHaveLength(1);
});
