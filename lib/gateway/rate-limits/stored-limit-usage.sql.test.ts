import { expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openTemporarySqlite } from "../database/testing/open-temporary-database";
import { openSums } from "../log/sums/sum-calls.sql";
import {
  foldRefusals,
  LimitUsageWriter,
  pruneLimitUsage,
  readLimitDay,
  readLimitHistory,
} from "./stored-limit-usage.sql";

const NOW_MS = 1_800_000_000_000;

async function open() {
  const store = await openTemporarySqlite();
  const sqlite = openSums(store.path);
  const faults: unknown[] = [];
  return {
    store,
    sqlite,
    faults,
    writer: new LimitUsageWriter(sqlite, (error) => faults.push(error)),
    refuse(atMs: number, refusals: number, refusedBy = "max_requests_per_1_minute") {
      const minute = atMs - (atMs % MINUTE_MS);
      const insert = "INSERT INTO refusal_counts VALUES (?, 'proj_1', 'key_1', 'm', ?, ?, 0)";
      sqlite.query(insert).run(minute, refusedBy, refusals);
    },
    /** The day alone must agree with the day of the whole history. */
    past(nowMs = NOW_MS, projectIds: string[] | null = null) {
      const history = readLimitHistory(sqlite, projectIds, nowMs);
      const days = history.flatMap(({ projectId, model, field, dayPeak, dayRefusals }) =>
        dayPeak + dayRefusals > 0 ? [{ projectId, model, field, peak: dayPeak, refusals: dayRefusals }] : [],
      );
      expect(readLimitDay(sqlite, projectIds, nowMs)).toEqual(days);
      return history;
    },
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

const peak = (value: number, projectId = "proj_1") => ({
  projectId,
  model: "m",
  field: "max_requests_per_1_minute" as const,
  peak: value,
});

test("the maximum of each hour and day is kept", async () => {
  await using opened = await open();
  const { writer, past } = opened;
  writer.add(NOW_MS - 3 * DAY_MS, [peak(9)]);
  writer.add(NOW_MS, [peak(5)]);
  writer.add(NOW_MS, [peak(2), peak(7, "proj_2")]);
  expect(past(NOW_MS, ["proj_1"])).toMatchObject([{ projectId: "proj_1", dayPeak: 5, weekPeak: 9 }]);
  expect(past()).toHaveLength(2);
  expect(past(NOW_MS, [])).toEqual([]);
  expect(opened.faults).toEqual([]);
});

test("refusals are the same folded and not, and are folded once", async () => {
  await using opened = await open();
  const { sqlite, refuse, past } = opened;
  for (let minute = 0; minute < 40; minute++) refuse(NOW_MS - minute * MINUTE_MS, 2);
  refuse(NOW_MS - 2 * DAY_MS, 100);
  refuse(NOW_MS - 1 * MINUTE_MS, 50, "balance");
  const expected = [{ dayRefusals: 80, weekRefusals: 180 }];
  expect(past()).toMatchObject(expected);
  let steps = 0;
  while (foldRefusals(sqlite, NOW_MS)) {
    expect(past()).toMatchObject(expected);
    steps++;
  }
  expect(steps).toBeGreaterThan(2);
  expect(past()).toMatchObject(expected);
  expect(foldRefusals(sqlite, NOW_MS)).toBe(false);
  expect(past()).toMatchObject(expected);
});

test("while another connection writes nothing is lost, and nothing is reported", async () => {
  await using opened = await open();
  const { store, writer, past } = opened;
  const other = openSums(store.path);
  other.run("BEGIN IMMEDIATE");
  writer.add(NOW_MS, [peak(5)]);
  expect(past()).toEqual([]);
  other.run("COMMIT");
  other.close();
  await writer.end();
  expect(past()).toMatchObject([{ dayPeak: 5 }]);
  expect(opened.faults).toEqual([]);
});

test("deletes limit usage that is too old to be asked for", async () => {
  await using opened = await open();
  const { sqlite, writer } = opened;
  writer.add(NOW_MS - 20 * DAY_MS, [peak(9)]);
  writer.add(NOW_MS, [peak(5)]);
  pruneLimitUsage(sqlite, NOW_MS);
  expect(sqlite.query("SELECT count(*) AS n FROM limit_uses").get()).toEqual({ n: 2 });
});
