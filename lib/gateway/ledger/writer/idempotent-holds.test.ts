import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { IDEMPOTENCY_MS } from "../../idempotency/idempotency";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { LedgerBatch, OwnerLease } from "./ledger-batch.sql";

const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(1_000_000_000n),
  rate: toNano(1_000_000_000n),
};
const whose = {
  projectId: "proj_1",
  keyId: "key_1",
  model: "m",
  promptTokens: 10,
  maxCompletionTokens: 20,
  price,
};
const end = { status: 200, stream: false, estimatedTokens: 30, firstByteMs: 1, durationMs: 2, atMs: 150 };
const ending = { ...end, outcome: "completed", provider: null, receiptDetails: null } as const;

/** Two processes on one store, whose calls all have the same idempotency key. */
async function openTwo() {
  const temporary = await openTemporarySqlite();
  const { clock } = simulatedRuntime();
  const connections = ["a", "b"].map(() => openSqlite(temporary.path, { safeIntegers: true }));
  const [a, b] = connections.map((sqlite, at) => {
    const batch = new LedgerBatch(sqlite, new OwnerLease(sqlite, `process ${at}`, clock));
    batch.keepLease();
    return {
      hold(name: string, createdAtMs = 100) {
        const idempotency = { scope: "proj_1 key_1", key: "once", bodyHash: "h" };
        const times = { createdAtMs, deadlineAtMs: createdAtMs + 100 };
        const hold = {
          id: `hold_${name}`,
          requestId: `req_${name}`,
          amount: toNano(10n),
          ...whose,
          ...times,
        };
        return batch.apply([{ kind: "hold", hold: { ...hold, idempotency } }])[0];
      },
      settle(name: string) {
        const ids = { holdId: `hold_${name}`, entryId: `txn_${name}`, varianceEntryId: `txn_${name}v` };
        const usage = { promptTokens: 10, completionTokens: 20 };
        const settlement = { ...ids, charge: toNano(5n), usage, basis: "reported", end: ending } as const;
        return batch.apply([{ kind: "settle", settlement }])[0];
      },
      release: (name: string) =>
        batch.apply([{ kind: "release", release: { holdId: `hold_${name}`, end: ending } }])[0],
      stored: () => batch.stored,
      pay: () =>
        batch.apply([
          {
            kind: "payment",
            payment: { id: "txn_p", amount: toNano(100n), reference: null, createdAtMs: 1 },
            idempotency: null,
            audit: null,
          },
        ]),
    };
  });
  if (!a || !b) throw new RangeError("There are two processes");
  a.pay();
  return {
    a,
    b,
    held: () => temporary.reads.selectFrom("holds").select(["id"]).orderBy("id").execute(),
    async [Symbol.asyncDispose]() {
      for (const sqlite of connections) sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("of two calls with one idempotency key in two processes one is held, and nothing of the other is stored", async () => {
  await using two = await openTwo();
  expect(two.a.hold("first")).toBe(true);
  expect(two.b.hold("second")).toBe("repeated");
  expect(await two.held()).toEqual([{ id: "hold_first" }]);
  two.a.settle("first");
  expect(two.b.hold("second")).toBe("repeated");
  expect(await two.held()).toEqual([]);
  expect(two.b.stored()).toEqual({ posted: 95n, held: 0n });
});

test("an idempotency key is free again once its call has cost nothing, and a day after its charge", async () => {
  await using two = await openTwo();
  two.a.hold("first");
  two.a.release("first");
  expect(two.b.hold("second")).toBe(true);
  two.b.settle("second");
  expect(two.a.hold("third", 100 + IDEMPOTENCY_MS - 1)).toBe("repeated");
  expect(two.a.hold("third", 100 + IDEMPOTENCY_MS)).toBe(true);
});
