import { expect, test } from "bun:test";
import { sql } from "kysely";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openSqlite } from "../database/open-sqlite";
import { openTemporaryDatabase, openTemporarySqlite } from "../database/testing/open-temporary-database";
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
  const store = await openTemporaryDatabase();
  const queries = store.direct;
  const faults: unknown[] = [];
  return {
    queries,
    faults,
    writer: new LimitUsageWriter(queries, (error) => faults.push(error)),
    refuse(atMs: number, refusals: number, refusedBy = "max_requests_per_1_minute") {
      const minute = atMs - (atMs % MINUTE_MS);
      return sql`INSERT INTO refusal_counts VALUES (${minute}, 'proj_1', 'key_1', 'm', ${refusedBy}, ${refusals}, 0)`.execute(
        queries,
      );
    },
    /** The day alone must agree with the day of the whole history. */
    async past(nowMs = NOW_MS, projectIds: string[] | null = null) {
      const history = await readLimitHistory(queries, projectIds, nowMs);
      const days = history.flatMap(({ projectId, model, field, dayPeak, dayRefusals }) =>
        dayPeak + dayRefusals > 0 ? [{ projectId, model, field, peak: dayPeak, refusals: dayRefusals }] : [],
      );
      expect(await readLimitDay(queries, projectIds, nowMs)).toEqual(days);
      return history;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
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
  await writer.add(NOW_MS - 3 * DAY_MS, [peak(9)]);
  await writer.add(NOW_MS, [peak(5)]);
  await writer.add(NOW_MS, [peak(2), peak(7, "proj_2")]);
  expect(await past(NOW_MS, ["proj_1"])).toMatchObject([{ projectId: "proj_1", dayPeak: 5, weekPeak: 9 }]);
  expect(await past()).toHaveLength(2);
  expect(await past(NOW_MS, [])).toEqual([]);
  expect(opened.faults).toEqual([]);
});

test("refusals are the same folded and not, and are folded once", async () => {
  await using opened = await open();
  const { queries, refuse, past } = opened;
  for (let minute = 0; minute < 40; minute++) await refuse(NOW_MS - minute * MINUTE_MS, 2);
  await refuse(NOW_MS - 2 * DAY_MS, 100);
  await refuse(NOW_MS - 1 * MINUTE_MS, 50, "balance");
  const expected = [{ dayRefusals: 80, weekRefusals: 180 }];
  expect(await past()).toMatchObject(expected);
  let steps = 0;
  while (await foldRefusals(queries, NOW_MS)) {
    expect(await past()).toMatchObject(expected);
    steps++;
  }
  expect(steps).toBeGreaterThan(2);
  expect(await past()).toMatchObject(expected);
  expect(await foldRefusals(queries, NOW_MS)).toBe(false);
  expect(await past()).toMatchObject(expected);
});

test("while another connection writes nothing is lost, and nothing is reported", async () => {
  await using store = await openTemporarySqlite();
  const faults: unknown[] = [];
  const [queries, other] = [openSums(store.path), openSqlite(store.path)];
  const writer = new LimitUsageWriter(queries, (error) => faults.push(error));
  other.run("BEGIN IMMEDIATE");
  await writer.add(NOW_MS, [peak(5)]);
  expect(await readLimitHistory(queries, null, NOW_MS)).toEqual([]);
  other.run("COMMIT");
  other.close();
  await writer.end();
  expect(await readLimitHistory(queries, null, NOW_MS)).toMatchObject([{ dayPeak: 5 }]);
  expect(faults).toEqual([]);
  await queries.destroy();
});

test("deletes limit usage that is too old to be asked for", async () => {
  await using opened = await open();
  const { queries, writer } = opened;
  await writer.add(NOW_MS - 20 * DAY_MS, [peak(9)]);
  await writer.add(NOW_MS, [peak(5)]);
  await pruneLimitUsage(queries, NOW_MS);
  const { rows } = await sql`SELECT count(*) AS n FROM limit_uses`.execute(queries);
  expect(rows).toEqual([{ n: 2 }]);
});
