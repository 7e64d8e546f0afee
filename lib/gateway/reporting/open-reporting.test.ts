import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { openTemporarySqlite } from "../database/testing/open-temporary-database";
import { openReporting } from "./open-reporting";

async function open() {
  const store = await openTemporarySqlite();
  const faults: unknown[] = [];
  const reporting = openReporting({
    dataFolder: dirname(store.path),
    logFault: (_, error) => faults.push(error),
  });
  return {
    reporting,
    faults,
    async [Symbol.asyncDispose]() {
      await reporting.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

test("equal questions at the same time are answered by one read", async () => {
  await using opened = await open();
  const { reporting } = opened;
  const [one, same, other] = await Promise.all([
    reporting.modelHealth(0),
    reporting.modelHealth(0),
    reporting.modelHealth(60_000),
  ]);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
  expect(await reporting.modelHealth(0)).not.toBe(one);
  expect(opened.faults).toEqual([]);
});

test("a read after the close is refused, also where no read came before", async () => {
  await using opened = await open();
  await opened.reporting.close();
  expect(opened.reporting.modelHealth(0)).rejects.toMatchObject({ status: 503 });
});

test("a replay that nobody waits for is stopped, and the next one is answered", async () => {
  await using opened = await open();
  const { reporting } = opened;
  const stopping = new AbortController();
  const question = { pairs: [], fromMs: 0, toMs: 60_000 };
  const left = reporting.replay(question, stopping.signal);
  stopping.abort();
  await expect(left).rejects.toMatchObject({ status: 503 });
  await expect(reporting.replay(question, stopping.signal)).rejects.toMatchObject({ status: 503 });
  expect(await reporting.replay(question, new AbortController().signal)).toMatchObject({ pairs: [] });
  expect(opened.faults).toEqual([]);
});

test("a replay says how much is done", async () => {
  await using opened = await open();
  const shares: number[] = [];
  const pair = { projectId: "proj_1", model: "m", limits: builtInRateLimits, fields: [] };
  const question = { pairs: [pair, { ...pair, model: "n" }], fromMs: 0, toMs: 60_000 };
  await opened.reporting.replay(question, new AbortController().signal, (share) => shares.push(share));
  expect(shares.length).toBeGreaterThan(0);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
});
