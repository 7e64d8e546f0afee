import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { BalanceCache, WaitingOperation } from "./funds.sql";
import type { LedgerOperation, LedgerResult } from "./writer/ledger-operation";

/** A hold of 30 on a balance of 100, with whatever its caller is told. */
function waitForHold() {
  const balance = new BalanceCache({ posted: 100n, held: 0n });
  const told: unknown[] = [];
  const tell = (outcome: unknown) => void told.push(outcome);
  const operation = { kind: "hold", hold: { amount: toNano(30n) } } as LedgerOperation;
  return { balance, told, waiting: new WaitingOperation(operation, balance, tell, tell) };
}

const unavailable = expect.objectContaining({ status: 503 });

test("the amount of a hold is not available until the store has answered", () => {
  const { balance, told, waiting } = waitForHold();
  expect(balance.available).toBe(toNano(70n));
  balance.update({ posted: 100n, held: 30n });
  waiting.answer(true);
  expect(balance.available).toBe(toNano(70n));
  expect(told).toEqual(["placed"]);
});

test("the amount of a refused hold is available again", () => {
  const { balance, told, waiting } = waitForHold();
  waiting.refuse();
  expect(balance.available).toBe(toNano(100n));
  expect(told).toEqual([unavailable]);
});

test("a hold that was given up is refused once; whoever gave it up gets the store's late answer", () => {
  const { balance, told, waiting } = waitForHold();
  const late: LedgerResult[] = [];
  waiting.giveUp((result) => void late.push(result));
  waiting.answer(true);
  waiting.refuse();
  expect(told).toEqual([unavailable]);
  expect(late).toEqual([true]);
  expect(balance.available).toBe(toNano(100n));
});
