import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { CLOCK_DRIFT_MS, LEASE_MS, LedgerBatch, OwnerLease, RENEW_MS } from "./ledger-batch.sql";
import type { LedgerOperation } from "./ledger-operation";

const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(1_000_000_000n),
  rate: toNano(1_000_000_000n),
};
const end = {
  outcome: "completed",
  status: 200,
  stream: false,
  estimatedTokens: 30,
  firstByteMs: 1,
  durationMs: 2,
  atMs: 150,
  provider: null,
  receiptDetails: null,
} as const;

function createHold(name: string, amount: bigint): LedgerOperation {
  const whose = {
    id: `hold_${name}`,
    requestId: `req_${name}`,
    projectId: "proj_1",
    keyId: "key_1",
    model: "m",
  };
  const size = { amount: toNano(amount), promptTokens: 10, maxCompletionTokens: 20, price };
  return { kind: "hold", hold: { ...whose, ...size, createdAtMs: 100, deadlineAtMs: 200 } };
}

function createSettlement(name: string): LedgerOperation {
  const ids = { holdId: `hold_${name}`, entryId: `txn_${name}`, varianceEntryId: `txn_${name}v` };
  const usage = { promptTokens: 10, completionTokens: 20 };
  return {
    kind: "settle",
    settlement: { ...ids, charge: toNano(30_000n), usage, basis: "reported", end },
  };
}

const payment: LedgerOperation = {
  kind: "payment",
  payment: { id: "txn_p", amount: toNano(100_000n), reference: null, createdAtMs: 1 },
  idempotency: null,
  audit: null,
};
const takeExpired: LedgerOperation = { kind: "take over", owners: "expired", nowMs: 1_000 };

/** Two processes on one store and one clock. */
async function openTwo() {
  const temporary = await openTemporarySqlite();
  const { clock, pass } = simulatedRuntime();
  const connections: Database[] = [];
  const open = (owner: string) => {
    const sqlite = openSqlite(temporary.path, { safeIntegers: true });
    connections.push(sqlite);
    const batch = new LedgerBatch(sqlite, new OwnerLease(sqlite, owner, clock));
    batch.keepLease();
    return batch;
  };
  return {
    first: open("first"),
    second: open("second"),
    /** The owners with a lease in the store. */
    owners: () =>
      connections[0]
        ?.query<{ owner: string }, []>("SELECT owner FROM leases ORDER BY owner")
        .all()
        .map(({ owner }) => owner),
    pass,
    async [Symbol.asyncDispose]() {
      for (const sqlite of connections) sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("two processes hold against one balance", async () => {
  await using store = await openTwo();
  const { first, second } = store;
  first.apply([payment]);
  expect(first.apply([createHold("a", 60_000n)])).toEqual([true]);
  expect(second.apply([createHold("b", 60_000n), createHold("c", 40_000n)])).toEqual([false, true]);
  expect(second.stored).toEqual({ posted: 100_000n, held: 100_000n });
});

test("holds are taken over once their owner's lease is over everywhere, and its own settlement changes nothing then", async () => {
  await using store = await openTwo();
  const { first, second, pass } = store;
  first.apply([payment, createHold("a", 60_000n)]);
  pass(LEASE_MS + CLOCK_DRIFT_MS);
  expect(second.apply([takeExpired])).toEqual([0]);
  pass(1);
  expect(second.apply([takeExpired])).toEqual([1]);
  // The prompt is charged; no output is known.
  expect(second.stored).toEqual({ posted: 90_000n, held: 0n });
  expect(first.apply([createSettlement("a")])).toEqual([false]);
  expect(first.stored).toEqual({ posted: 90_000n, held: 0n });
});

test("a process that was silent for too long holds nothing until it has a lease again", async () => {
  await using store = await openTwo();
  const { first, second, pass } = store;
  first.apply([payment, createHold("a", 60_000n)]);
  pass(LEASE_MS);
  const silent = { failed: expect.stringContaining("silent for too long") };
  // An earlier hold is settled anyway, unless another process has taken it over.
  expect(first.apply([createHold("b", 1n), createSettlement("a")])).toEqual([silent, true]);
  expect(first.apply([createHold("b", 1n)])).toEqual([true]);
  pass(LEASE_MS + CLOCK_DRIFT_MS + 1);
  second.apply([takeExpired]);
  expect(first.apply([createHold("c", 1n)])).toEqual([silent]);
  expect(first.apply([createHold("c", 1n)])).toEqual([true]);
});

test("a single process takes over at once", async () => {
  await using store = await openTwo();
  const { first, second } = store;
  first.apply([payment, createHold("a", 60_000n)]);
  expect(second.apply([{ kind: "take over", owners: "all but mine", nowMs: 1_000 }])).toEqual([1]);
  expect(second.stored).toEqual({ posted: 90_000n, held: 0n });
});

test("a process whose holds were taken over has no lease until it renews it, whatever its clock says", async () => {
  await using store = await openTwo();
  const { first, second, owners } = store;
  first.apply([payment, createHold("a", 60_000n)]);
  expect(owners()).toEqual(["first", "second"]);
  second.apply([{ kind: "take over", owners: "all but mine", nowMs: 1_000 }]);
  expect(owners()).toEqual(["second"]);
  expect(first.apply([createHold("b", 1n)])).toEqual([
    { failed: expect.stringContaining("silent for too long") },
  ]);
  store.pass(LEASE_MS);
  first.keepLease();
  expect(owners()).toEqual(["first", "second"]);
  expect(first.apply([createHold("b", 1n)])).toEqual([true]);
});

test("a process whose lease was ended by another holds nothing in the batch that renews it", async () => {
  await using store = await openTwo();
  const { first, second, pass } = store;
  first.apply([payment]);
  second.apply([{ kind: "take over", owners: "all but mine", nowMs: 1_000 }]);
  pass(RENEW_MS);
  expect(first.apply([createHold("a", 1n)])).toEqual([
    { failed: expect.stringContaining("silent for too long") },
  ]);
  expect(first.apply([createHold("a", 1n)])).toEqual([true]);
});

test("a renewal counts from the time it was requested, not from its commit", async () => {
  await using temporary = await openTemporarySqlite();
  const { clock, pass } = simulatedRuntime();
  const sqlite = openSqlite(temporary.path);
  const lease = new OwnerLease(sqlite, "only", clock);
  lease.renew();
  pass(5_000);
  lease.transactionEnded({ isCommitted: true });
  pass(LEASE_MS - 5_001);
  expect(lease.isHeld()).toBe(true);
  pass(1);
  expect(lease.isHeld()).toBe(false);
  sqlite.close();
});

test("a renewal whose transaction was rolled back does not count", async () => {
  await using temporary = await openTemporarySqlite();
  const { clock, pass } = simulatedRuntime();
  const sqlite = openSqlite(temporary.path);
  const lease = new OwnerLease(sqlite, "only", clock);
  lease.renew();
  lease.transactionEnded({ isCommitted: true });
  pass(LEASE_MS - 1);
  sqlite.run("BEGIN IMMEDIATE");
  lease.renew();
  sqlite.run("ROLLBACK");
  lease.transactionEnded({ isCommitted: false });
  expect(lease.isHeld()).toBe(true);
  pass(1);
  expect(lease.isHeld()).toBe(false);
  sqlite.close();
});
