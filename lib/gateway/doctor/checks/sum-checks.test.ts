import { expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { openSqlite } from "../../database/open-sqlite";
import { openStoredCalls } from "../../database/testing/open-stored-calls";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { minutesWholeFrom } from "../../log/sums/minute-sums.sql";
import { sumCalls } from "../../log/sums/sum-calls.sql";
import { sumChecks } from "./sum-checks";

const START = Date.UTC(2027, 0, 15);
const goOn = async () => true;

test.each([
  ["deleted", [START, START + HOUR_MS]],
  ["left out", []],
])(
  "sums of minutes that were %s while the clock was ahead are no fault once it is corrected",
  async (_name, before) => {
    await using calls = openStoredCalls(await openTemporarySqlite());
    for (const atMs of before) await calls.charge(atMs, 1);
    await sumCalls(calls.queries, goOn);
    await calls.charge(START + HOUR_MS, 1);
    await calls.charge(START + 3 * DAY_MS, 1);
    await sumCalls(calls.queries, goOn);
    await calls.charge(START + 2 * HOUR_MS, 1);
    await sumCalls(calls.queries, goOn);
    const range = { from: { seq: 0n }, to: 100n } as never;
    using sqlite = openSqlite(calls.store.path);
    expect(sumChecks.flatMap(({ run }) => run(sqlite, START, range).faults)).toEqual([]);
    expect(await minutesWholeFrom(calls.queries)).toBe(START + HOUR_MS + MINUTE_MS);
  },
);
