import { expect, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import type { HoldDraft } from "../funds";
import { LedgerBatch, OwnerLease } from "./ledger-batch.sql";

const idempotency = { scope: "proj_1 key_1", key: "once", bodyHash: "h" };
const hold = {
  id: "hold_1",
  requestId: "req_1",
  amount: toNano(10n),
  projectId: "proj_1",
  keyId: "key_1",
  model: "m",
  promptTokens: 10,
  maxCompletionTokens: 20,
  price: { inputPer1m: toNano(1n), outputPer1m: toNano(1n), rate: toNano(1n) },
  createdAtMs: 100,
  deadlineAtMs: 200,
  idempotency,
  carried: { images: 2 },
};
const times = { estimatedTokens: 30, firstByteMs: 1, durationMs: 2, atMs: 150 };
const end = {
  ...times,
  outcome: "completed",
  status: 200,
  stream: false,
  provider: null,
  receiptDetails: null,
} as const;
const settlement = {
  holdId: "hold_1",
  entryId: "txn_1",
  varianceEntryId: "txn_1v",
  charge: toNano(5n),
  usage: { promptTokens: 10, completionTokens: 20 },
  basis: "reported",
  end,
  reply: "the reply",
} as const;

/** A call with a key and images, under way in a process whose store fails while `store.isFull`. */
async function openCall(draft: HoldDraft = hold) {
  const temporary = await openTemporarySqlite();
  const sqlite = openSqlite(temporary.path, { safeIntegers: true });
  const store = { isFull: false };
  const batch = new LedgerBatch(sqlite, new OwnerLease(sqlite, "process", simulatedRuntime().clock), {
    guard() {
      if (store.isFull) throw new Error("The disk is full");
    },
  });
  batch.keepLease();
  const payment = { id: "txn_p", amount: toNano(100n), reference: null, createdAtMs: 1 };
  batch.apply([{ kind: "payment", payment, idempotency: null, audit: null }]);
  batch.apply([{ kind: "hold", hold: draft }]);
  return {
    store,
    settle: () => batch.apply([{ kind: "settle", settlement }])[0],
    release: () => batch.apply([{ kind: "release", release: { holdId: "hold_1", end } }])[0],
    probe: () => batch.apply([{ kind: "probe" }])[0],
    keys: () => temporary.reads.selectFrom("idempotency_keys").select(["key", "reply"]).execute(),
    media: () => temporary.reads.selectFrom("carried_media").select("images").execute(),
    async [Symbol.asyncDispose]() {
      sqlite.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

const failed = { failed: "Error: The disk is full" };

test("a reply is stored for repeats although the store failed while its call was under way", async () => {
  await using call = await openCall();
  call.store.isFull = true;
  expect(call.probe()).toEqual(failed);
  call.store.isFull = false;
  expect(call.settle()).toBe(true);
  expect(await call.keys()).toEqual([{ key: "once", reply: "the reply" }]);
});

test("a reply is stored for repeats if its settlement itself failed at first", async () => {
  await using call = await openCall();
  call.store.isFull = true;
  expect(call.settle()).toEqual(failed);
  call.store.isFull = false;
  expect(call.settle()).toBe(true);
  expect(await call.keys()).toEqual([{ key: "once", reply: "the reply" }]);
});

test("a call that costs nothing after the store failed frees its key, and no limit counts its images", async () => {
  await using call = await openCall();
  expect(await call.media()).toEqual([{ images: 2 }]);
  call.store.isFull = true;
  expect(call.probe()).toEqual(failed);
  call.store.isFull = false;
  expect(call.release()).toBe(true);
  expect(await call.keys()).toEqual([]);
  expect(await call.media()).toEqual([]);
});

test("no limit counts the images of a task that ended free of charge, also after a restart", async () => {
  await using call = await openCall({ ...hold, taskId: "task_1" });
  expect(call.release()).toBe(true);
  expect(await call.media()).toEqual([]);
});
