import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { createBatchClaims, createBatchStore, NO_PROGRESS } from "../../batches/batch-store.sql";
import { WORK_CLAIM_MS } from "../../claim-times";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { createFileStore } from "../../files/file-store.sql";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { LedgerBatch, OwnerLease } from "./ledger-batch.sql";

const whose = { projectId: "proj_default", keyId: "key_a", createdAtMs: 0, expiresAtMs: null };
const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(1_000_000_000n),
  rate: toNano(1_000_000_000n),
};

/** Two processes on a store with one batch. Both may hold at any time; `pass` moves the clock of claims. */
async function openTwo() {
  const temporary = await openTemporarySqlite();
  const { clock, pass } = simulatedRuntime();
  const input = { id: "file-in", purpose: "batch", filename: "in.jsonl", bytes: 1, ...whose } as const;
  const files = createFileStore(temporary.reads);
  await temporary.run((transaction) => files.complete(transaction, input, 0));
  const batch = {
    ...NO_PROGRESS,
    ...whose,
    id: "batch_a",
    endpoint: "/v1/chat/completions",
    model: "m",
    metadata: null,
    inputFileId: input.id,
    inputBytes: 1,
    outputFileId: "file-out",
    errorFileId: "file-err",
    status: "in_progress",
    total: 9,
    countedTokens: 9,
    outputExpiresAfterMs: null,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    cancelRequestedAtMs: null,
    endedAtMs: null,
    pace: null,
  } as const;
  const batches = createBatchStore(temporary.reads);
  await temporary.run((transaction) => batches.insert(transaction, batch));
  const connections = ["first", "second"].map(() => openSqlite(temporary.path, { safeIntegers: true }));
  const [first, second] = ["first", "second"].map((owner, at) => {
    const sqlite = connections[at] ?? openSqlite(temporary.path);
    const ledger = new LedgerBatch(sqlite, new OwnerLease(sqlite, owner, clock));
    const claims = createBatchClaims(temporary.reads, temporary.run, { owner, files });
    let lines = 0;
    return {
      pay: (amount: bigint) =>
        ledger.apply([
          {
            kind: "payment",
            payment: { id: "txn_p", amount: toNano(amount), reference: null, createdAtMs: 1 },
            idempotency: null,
            audit: null,
          },
        ]),
      claim: () => claims.claim(clock.nowMs(), { limit: 1, underWay: [], fullProjects: [] }),
      end: () => claims.end("batch_a", NO_PROGRESS, { status: "cancelled", atMs: clock.nowMs(), files: [] }),
      /** Holds for the next line, after it has renewed its lease. */
      holdLine() {
        ledger.keepLease();
        const name = `${owner}_${++lines}`;
        const line = {
          id: `hold_${name}`,
          requestId: `req_${name}`,
          batchId: "batch_a",
          amount: toNano(10n),
        };
        const size = { model: "m", promptTokens: 1, maxCompletionTokens: 9, price };
        const times = { createdAtMs: clock.nowMs(), deadlineAtMs: clock.nowMs() + 1 };
        const { projectId, keyId } = whose;
        const idempotency = { scope: "proj_default key_a", key: name, bodyHash: "h" };
        const hold = { ...line, projectId, keyId, ...size, ...times, idempotency };
        return ledger.apply([{ kind: "hold", hold }])[0];
      },
      held: () => ledger.stored?.held,
    };
  });
  if (!first || !second) throw new RangeError("There are two processes");
  first.pay(1_000n);
  return {
    first,
    second,
    pass,
    keys: () => temporary.reads.selectFrom("idempotency_keys").select("key").orderBy("key").execute(),
    async [Symbol.asyncDispose]() {
      for (const sqlite of connections) sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("a line is held only for the process that runs its batch, also after its claim has expired", async () => {
  await using two = await openTwo();
  const { first, second } = two;
  expect(first.holdLine()).toBe("taken over");
  await first.claim();
  expect(second.holdLine()).toBe("taken over");
  expect(first.holdLine()).toBe(true);
  two.pass(2 * WORK_CLAIM_MS);
  expect(first.holdLine()).toBe(true);
});

test("a line that a paused process had queued is not held once another process runs or has ended its batch", async () => {
  await using two = await openTwo();
  const { first, second } = two;
  await first.claim();
  expect(first.holdLine()).toBe(true);
  two.pass(WORK_CLAIM_MS);
  await second.claim();
  const held = first.held();
  expect(first.holdLine()).toBe("taken over");
  expect(second.holdLine()).toBe(true);
  await second.end();
  expect(first.holdLine()).toBe("taken over");
  expect(second.holdLine()).toBe("taken over");
  expect(second.held()).toBe((held ?? 0n) + 10n);
  expect(await two.keys()).toEqual([{ key: "first_1" }, { key: "second_1" }]);
});
