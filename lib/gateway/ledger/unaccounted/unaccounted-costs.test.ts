import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { createUnaccountedCostStore } from "./unaccounted-cost-store.sql";
import { UnaccountedCosts } from "./unaccounted-costs";

const attempt = { provider: "p", providerModel: "m", model: "fake", promptTokens: 5, amount: toNano(7n) };

test("a flush waits for the one under way, and a failed one loses nothing", async () => {
  await using store = await openTemporaryDatabase();
  const rows = createUnaccountedCostStore(store.reads);
  const changes = await store.changes();
  const { clock } = simulatedRuntime();
  let fails = true;
  const add: typeof rows.add = async (transaction, cost) => {
    if (fails) throw new Error("The disk is full");
    await rows.add(transaction, cost);
  };
  const costs = new UnaccountedCosts({ add }, { changes }, clock);
  costs.note(attempt);
  await expect(costs.flush()).rejects.toThrow("full");
  fails = false;
  costs.note(attempt);
  void costs.flush();
  await costs.flush();
  costs.note({ ...attempt, providerModel: "other" });
  await costs.flush();
  expect(await rows.sum(0, clock.nowMs())).toEqual([
    { provider: "p", providerModel: "m", model: "fake", attempts: 2, promptTokens: 10, amount: toNano(14n) },
    {
      provider: "p",
      providerModel: "other",
      model: "fake",
      attempts: 1,
      promptTokens: 5,
      amount: toNano(7n),
    },
  ]);
});
