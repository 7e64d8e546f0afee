import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { openSqlite } from "../database";
import { openTemporaryDatabase } from "../testing/open-temporary-database";
import { readKept } from "./kept-rows";
import { sumCalls } from "./sum-calls";
import { sumUsage } from "./sum-usage";

const START = Date.UTC(2027, 0, 15);

async function openCalls() {
  const temporary = await openTemporaryDatabase();
  const sqlite = openSqlite(temporary.path);
  sqlite.run("PRAGMA synchronous = OFF");
  let made = 0;
  return {
    sqlite,
    charge: (atMs: number, amount: number) => {
      const id = String(++made).padStart(26, "0");
      sqlite.run(
        `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, held, started_at_ms,
           stream, outcome, status)
         VALUES (?1, 'charge', ?2, ?3, ?1, 'proj_1', 'key_1', 'm', ?2, ?3, 0, 'completed', 200)`,
        [`txn_${id}`, amount, atMs],
      );
    },
    spentByProject: (widthMs: number) => {
      const range = { filter: { projectIds: null }, fromMs: START, toMs: START + 3 * DAY_MS, widthMs };
      const { tallies } = sumUsage(sqlite, { ...range, groupBy: "project_id" });
      return tallies.get("proj_1")?.sum.amount;
    },
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("sums of finished days and hours that were read before contain calls that are added late", async () => {
  await using calls = await openCalls();
  calls.charge(START, 5);
  calls.charge(START + 2 * DAY_MS + 3 * HOUR_MS, 20);
  await sumCalls(calls.sqlite, async () => true);
  for (const width of [DAY_MS, HOUR_MS]) expect(calls.spentByProject(width)).toBe(25n as never);
  calls.charge(START + 1, 300);
  for (const width of [DAY_MS, HOUR_MS]) expect(calls.spentByProject(width)).toBe(325n as never);
  await sumCalls(calls.sqlite, async () => true);
  for (const width of [DAY_MS, HOUR_MS]) expect(calls.spentByProject(width)).toBe(325n as never);
  calls.charge(START + 2 * DAY_MS + 3 * HOUR_MS + 1, 4_000);
  await sumCalls(calls.sqlite, async () => true);
  for (const width of [DAY_MS, HOUR_MS]) expect(calls.spentByProject(width)).toBe(4_325n as never);
});

test("rows are kept until their version changes, or more is asked than is kept", async () => {
  await using temporary = await openTemporaryDatabase();
  using sqlite = openSqlite(temporary.path);
  const read = (value: number, version: number) =>
    readKept(sqlite, {
      sql: "SELECT value * random() AS n FROM json_each(?)",
      values: [`[${value}]`],
      version,
    });
  const first = read(1, 0);
  expect(read(1, 0)).toBe(first);
  const second = read(1, 1);
  expect(second).not.toBe(first);
  for (let other = 2; other < 3_000; other++) {
    read(other, 1);
    if (other % 100 === 0) expect(read(1, 1)).toBe(second);
  }
  for (let other = 2; other < 3_000; other++) read(other, 1);
  expect(read(1, 1)).not.toBe(second);
});
