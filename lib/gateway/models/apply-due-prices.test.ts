import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { createLock } from "../changes/change";
import { Feed } from "../changes/feed";
import { createChangeLog, createTransactions } from "../changes/transactions.sql";
import { openReads } from "../database/database";
import { openSqlite } from "../database/open-sqlite";
import { openTemporarySqlite } from "../database/testing/open-temporary-database";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import type { CatalogueModel } from "./catalogue";
import { createModelStore } from "./model-store.sql";
import { createScheduledPriceStore } from "./scheduled-price-store.sql";
import { applyDuePrices, findWhatItWaitsFor, ScheduledPriceCache } from "./scheduled-prices";

const runtime = simulatedRuntime();
const onePer1m = toNano(1_000_000_000n);
const model = {
  family: "chat",
  rate: onePer1m,
  batchRate: null,
  price: { inputPer1m: onePer1m, outputPer1m: onePer1m },
  unitPrice: null,
  audioPrice: null,
};
const catalogue = { find: (id: string) => ({ ...model, id }) as unknown as CatalogueModel };

type Waiting = { dueInMs?: number; isFarOff?: boolean; change?: Partial<CatalogueModel> };

/** A process with its own connections, lock and caches. @param beforeLock runs once, when it is about to write. */
async function openProcess(path: string, beforeLock: () => Promise<void> = async () => {}) {
  const [sqlite, reads] = [openSqlite(path), openReads(path)];
  const scheduledPrices = createScheduledPriceStore(reads);
  const scheduledPriceCache = new ScheduledPriceCache();
  const feed = new Feed(createChangeLog(reads), [scheduledPriceCache.following(scheduledPrices)]);
  await feed.open();
  const real = createTransactions(sqlite);
  let isFirst = true;
  const transactions: typeof real = {
    ...real,
    async run(...args) {
      if (isFirst) await beforeLock();
      isFirst = false;
      return real.run(...args);
    },
  };
  const changes = { lock: createLock(), transactions, feed, clock: runtime.clock, logFault: () => {} };
  const context = {
    changes,
    catalogue,
    models: createModelStore(reads),
    scheduledPrices,
    scheduledPriceCache,
    runtime,
  };
  return {
    apply: () => applyDuePrices(context as unknown as Parameters<typeof applyDuePrices>[0]),
    async close() {
      await reads.destroy();
      sqlite.close();
    },
  };
}

test("a price that fell due takes effect once in two processes, on top of what was changed meanwhile", async () => {
  await using temporary = await openTemporarySqlite();
  const schedule = createScheduledPriceStore(temporary.reads);
  const models = createModelStore(temporary.reads);
  const duePrice = { model: "m", effectiveAtMs: runtime.clock.nowMs(), createdAtMs: 0 };
  await temporary.run((transaction) =>
    schedule.insert(transaction, { id: "price_1", ...duePrice, change: { rate: "2" } }),
  );
  const first = await openProcess(temporary.path);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const storedPrice = {
    model: "m",
    rate: "7",
    batchRate: null,
    price,
    unitPrice: null,
    audioPrice: null,
    updatedAtMs: 1,
  };
  // While the second process is about to lock the store, the first applies the price, and somebody sets another.
  const second = await openProcess(temporary.path, async () => {
    await first.apply();
    await temporary.run((transaction) => models.savePrice(transaction, storedPrice));
  });
  await second.apply();
  await first.apply();
  const [row] = await temporary.reads.selectFrom("model_prices").select("rate").execute();
  expect(row?.rate).toBe("7");
  expect(await schedule.list()).toEqual([]);
  for (const process of [first, second]) await process.close();
});

test.each([
  ["is not due", { dueInMs: 1 }, null],
  ["is applied within a second", {}, null],
  ["waits for a clock that may be days off", { isFarOff: true }, "clock"],
  ["waits for a model that the configuration file has changed", { change: { price: null } }, "model"],
] as const)("a price %s", (_what, { dueInMs = 0, isFarOff = false, change = {} }: Waiting, expected) => {
  const steadyClock = { mayBeFarOff: () => isFarOff };
  const find = (id: string) => ({ ...catalogue.find(id), ...change });
  const price = { id: "price_1", model: "m", change: { rate: "2" }, createdAtMs: 0 };
  const effectiveAtMs = runtime.clock.nowMs() + dueInMs;
  expect(
    findWhatItWaitsFor({ catalogue: { find } as never, runtime, steadyClock }, { ...price, effectiveAtMs }),
  ).toBe(expected);
});
