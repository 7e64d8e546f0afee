import { expect, test } from "bun:test";
import { type BalanceCache, SqliteFunds } from "./funds.sql";
import type { FromWriter, LedgerResult } from "./writer/ledger-operation";

/** Funds whose writer gives these results for the operations of its first batch. */
async function openWith(results: readonly LedgerResult[]) {
  const worker = {
    onmessage: null as ((event: { data: FromWriter }) => void) | null,
    postMessage: () => worker.onmessage?.({ data: { kind: "batch", results, stored: null } }),
    terminate() {},
  };
  const reasons: string[] = [];
  const funds = new SqliteFunds(worker as never, {} as BalanceCache, (reason) => reasons.push(reason));
  await Promise.allSettled(results.map(() => funds.takeOver("expired", 0)));
  return { funds, reasons };
}

const failed = { failed: "It was refused" };

test.each([
  ["first", [failed, 0]],
  ["last", [0, failed]],
] as const)("a store that refuses one of two operations is healthy: the %s", async (_name, results) => {
  const { funds, reasons } = await openWith(results as never);
  expect(funds.isHealthy()).toBe(true);
  expect(reasons).toEqual(["It was refused"]);
});

test("a store that refuses every operation is not healthy", async () => {
  expect((await openWith([failed, failed])).funds.isHealthy()).toBe(false);
});
