import { expect, test } from "bun:test";
import { dirname } from "node:path";
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
