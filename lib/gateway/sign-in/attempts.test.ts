import { expect, test } from "bun:test";
import { createLock } from "../changes/change";
import type { Transaction } from "../changes/transactions.sql";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { Attempts } from "./attempts";
import type { AttemptRecord } from "./sign-in-state.sql";

const rule = { free: 2, recoverMs: 60_000 };
const counter = (name: string) => [{ name, rule }];

function openAttempts() {
  const runtime = simulatedRuntime();
  const records = new Map<string, AttemptRecord>();
  const read = (names: readonly string[]) => names.flatMap((name) => records.get(name) ?? []);
  const state = { transactions: 0, isAway: false };
  const attempts = new Attempts(
    {
      list: async (names) => read(names),
      change: async (_transaction, names, change) => {
        for (const record of change(read(names))) records.set(record.name, record);
      },
      prune: async () => {},
    },
    {
      runtime,
      changes: {
        lock: createLock(),
        transactions: {
          logPart: async () => [],
          run: async (_event, work) => {
            if (state.isAway) throw new Error("the store is away");
            state.transactions++;
            return work({} as Transaction);
          },
        },
        feed: { catchUp: async () => {} },
        clock: runtime.clock,
        logFault: () => {},
      },
    },
  );
  return { attempts, records, state };
}

test("attempts made at once share transactions, and each is counted", async () => {
  const { attempts, records, state } = openAttempts();
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => attempts.count(counter(`one ${n}`))));
  expect(records.size).toBe(1_000);
  expect(state.transactions).toBe(10);
  const tries = await Promise.allSettled(Array.from({ length: 50 }, () => attempts.count(counter("two"))));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

test("an attempt that has to wait begins no transaction", async () => {
  const { attempts, state } = openAttempts();
  for (let n = 0; n < 2; n++) await attempts.count(counter("one"));
  const before = state.transactions;
  for (let n = 0; n < 100; n++) {
    expect(await attempts.count(counter("one")).catch(({ code }) => code)).toBe("too_many_attempts");
  }
  expect(state.transactions).toBe(before);
});

test("a store that is away refuses the attempts, and counts the next ones once it is back", async () => {
  const { attempts, records, state } = openAttempts();
  state.isAway = true;
  const tries = Array.from({ length: 300 }, (_, n) => attempts.count(counter(`one ${n}`)));
  expect((await Promise.allSettled(tries)).every(({ status }) => status === "rejected")).toBe(true);
  state.isAway = false;
  const counted = await attempts.count(counter("one"));
  expect(records.size).toBe(1);
  await counted.takeBack();
  expect([...records.values()][0]?.count).toBe(0);
});
