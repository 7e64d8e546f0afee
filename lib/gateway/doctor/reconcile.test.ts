import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../database/open-sqlite";
import { openBatch } from "../database/testing/open-batch";
import { readCheckpoint } from "../ledger/writer/ledger-checkpoint.sql";
import { reconcile } from "./reconcile";
import { NOW_MS, openLedger } from "./testing/open-test-ledger";

const prove = (sqlite: Database, options: { isWhole?: boolean; batchSize?: number } = {}) =>
  reconcile(sqlite, { nowMs: NOW_MS, isWhole: false, keptHead: null, ...options });

const listFaulty = ({ checks }: ReturnType<typeof reconcile>) =>
  checks.filter(({ faults }) => faults.length > 0).map(({ id }) => id);

/** Each payment is a batch of its own. */
function pay(sqlite: Database, first: number, count: number) {
  const batch = openBatch(sqlite);
  for (let index = first; index < first + count; index++) {
    const payment = { id: `txn_x${index}`, amount: toNano(7n), reference: null, createdAtMs: NOW_MS };
    batch.apply([{ kind: "payment", payment, idempotency: null, audit: null }]);
  }
}

const unguarded = "DROP TRIGGER ledger_entries_are_not_changed";
const guarded = `CREATE TRIGGER ledger_entries_are_not_changed BEFORE UPDATE ON ledger_entries
  BEGIN SELECT RAISE(ABORT, 'ledger entries are immutable'); END`;

test("consistent books are proven in steps, and the next proof checks only newer entries", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path, { safeIntegers: true });
  pay(sqlite, 0, 10);
  const steps: number[] = [];
  const first = reconcile(sqlite, {
    nowMs: NOW_MS,
    isWhole: false,
    keptHead: null,
    batchSize: 4,
    progress: (verified) => steps.push(verified) > 0,
  });
  expect(listFaulty(first)).toEqual([]);
  expect(first).toMatchObject({ entries: 14, entriesBefore: 0, variance: 6_000n });
  expect(first.charged).toEqual([
    { basis: "reported", calls: 2, amount: toNano(14_000n) },
    { basis: "estimated", calls: 0, amount: toNano(0n) },
    { basis: "interrupted", calls: 0, amount: toNano(0n) },
  ]);
  expect(steps.length).toBeGreaterThan(2);
  pay(sqlite, 10, 3);
  const second = prove(sqlite);
  expect(second).toMatchObject({ entries: 17, entriesBefore: 14, charged: first.charged });
  expect(listFaulty(second)).toEqual([]);
});

test("an error after the last proof is found each time, and no later proof skips it", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path, { safeIntegers: true });
  prove(sqlite);
  const sound = readCheckpoint(sqlite).seq;
  pay(sqlite, 0, 3);
  sqlite.run(unguarded);
  sqlite.run("UPDATE ledger_entries SET amount = 8 WHERE id = 'txn_x1'");
  sqlite.run(guarded);
  for (let time = 1; time <= 2; time++) {
    expect(listFaulty(prove(sqlite, { batchSize: 1 }))).toEqual(["I7", "I11"]);
    expect(readCheckpoint(sqlite).seq).toBeLessThanOrEqual(sound + 1n);
    pay(sqlite, 10 * time, 1);
  }
});

test("finds an entry changed before the last proof when it starts from the first entry, and by the sums", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path, { safeIntegers: true });
  prove(sqlite);
  sqlite.run(unguarded);
  sqlite.run("UPDATE ledger_entries SET project_id = 'proj_2' WHERE id = 'txn_a'");
  sqlite.run(guarded);
  expect(listFaulty(prove(sqlite))).toEqual([]);
  expect(listFaulty(prove(sqlite, { isWhole: true }))).toEqual(["I11"]);
  sqlite.run("UPDATE accounts SET balance = balance + 1 WHERE name = 'charges'");
  expect(listFaulty(prove(sqlite))).toEqual(["I1", "I7"]);
});

test("names an entry whose stored balance is wrong", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path, { safeIntegers: true });
  sqlite.run("DROP TRIGGER ledger_entries_keep_their_balance");
  sqlite.run("UPDATE ledger_entries SET balance_after = balance_after + 1 WHERE id = 'txn_b'");
  const proof = prove(sqlite);
  expect(listFaulty(proof)).toEqual(["I5", "I7"]);
  expect(proof.checks.find(({ id }) => id === "I7")?.faults[0]).toContain("txn_b");
});
