import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "@/lib/contract/durations";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import { openTemporarySqlite, testRequest } from "../database/testing/open-temporary-database";
import { simulatedRuntime } from "../simulation/simulated-runtime";
import { awaitRefusal } from "../testing/catch-refusal";
import type { CallEnd, Funds, HoldDraft } from "./funds";
import { openSqliteFunds } from "./funds.sql";
import { recordPayment } from "./payments/payments";
import type { LedgerFilter } from "./reads/ledger-conditions.sql";
import { createLedgerReader, type LedgerReader } from "./reads/ledger-reader.sql";

const price = { inputPer1m: nano(10n ** 9n), outputPer1m: nano(2n * 10n ** 9n), rate: nano(5n * 10n ** 8n) };
let store: Awaited<ReturnType<typeof openTemporarySqlite>>;
let ledger: LedgerReader;
let funds: Funds;
let runtime = simulatedRuntime();

beforeEach(async () => {
  store = await openTemporarySqlite();
  runtime = simulatedRuntime();
  ledger = createLedgerReader(store.reads);
  funds = await openSqliteFunds({
    claim: store.claim(),
    secret: new Uint8Array(32),
    onFailure: () => {},
  });
});

afterEach(async () => {
  await funds.close();
  await store[Symbol.asyncDispose]();
});

function nano(amount: bigint): Nano {
  return toNano(amount);
}

async function pay(amount: string, key: string | null = null, reference?: string) {
  runtime.pass(1);
  const creation = { key, scope: "key_1", event: testRequest.event };
  const recorded = await recordPayment({ funds, runtime }, { amount, reference }, creation);
  if ("pendingId" in recorded) throw new Error("nobody set an amount to approve above");
  return { id: recorded.entryId };
}

async function placeHold(name: string, amount: bigint, changes: Partial<HoldDraft> = {}) {
  const createdAtMs = runtime.clock.nowMs();
  const whose = { requestId: `req_${name}`, projectId: "proj_1", keyId: "key_1", model: "sandbox-echo" };
  const size = { promptTokens: 10, maxCompletionTokens: 20, price, amount: nano(amount) };
  const when = { createdAtMs, deadlineAtMs: createdAtMs + 60_000 };
  expect(await funds.placeHold({ id: `hold_${name}`, ...whose, ...size, ...when, ...changes })).toBe(
    "placed",
  );
}

async function charge(name: string, amount: bigint, changes: Partial<HoldDraft> = {}) {
  runtime.pass(1);
  await placeHold(name, amount, changes);
  const end: CallEnd = {
    outcome: "completed",
    status: 200,
    stream: false,
    estimatedTokens: 30,
    firstByteMs: 1,
    durationMs: 2,
    atMs: runtime.clock.nowMs(),
    provider: null,
    receiptDetails: null,
  };
  await funds.settle({
    holdId: `hold_${name}`,
    entryId: `txn_${name}`,
    varianceEntryId: `txn_${name}_variance`,
    charge: nano(amount),
    usage: { promptTokens: 10, completionTokens: 20 },
    basis: "reported",
    end,
  });
}

test("the balance is what the store has, exact beyond what a number holds, and less what open holds set aside", async () => {
  await pay("8999999999.999999999");
  await placeHold("open", 7_000_000_001n);
  const storedBalance = await ledger.balance();
  expect(storedBalance).toEqual({
    posted: nano(8_999_999_999_999_999_999n),
    held: nano(7_000_000_001n),
    holds: 1,
  });
  expect(funds.available).toBe(nano(storedBalance.posted - storedBalance.held));
});

test("a repeat with the same key is the same payment, paid once; the key with another payment is a conflict", async () => {
  const [first, repeat] = await Promise.all([
    pay("25.00", "order-1", "Invoice 7"),
    pay("25", "order-1", "Invoice 7"),
  ]);
  expect(repeat).toEqual(first);
  for (const [amount, reference] of [
    ["26.00", "Invoice 7"],
    ["25.00", "Invoice 8"],
  ] as const) {
    const refusal = await awaitRefusal(pay(amount, "order-1", reference));
    expect(refusal).toMatchObject({ status: 409, code: "idempotency_conflict" });
  }
  expect((await ledger.balance()).posted).toBe(nano(25_000_000_000n));
  expect(funds.available).toBe(nano(25_000_000_000n));
  runtime.pass(DAY_MS);
  expect((await pay("25.00", "order-1", "Invoice 7")).id).not.toBe(first.id);
});

test("refuses a call that the balance can't hold, and stores nothing", async () => {
  await pay("9000000000");
  for (let time = 1; time <= 2; time++) {
    const refusal = await awaitRefusal(pay("0.000000001", "too-much"));
    expect(refusal).toMatchObject({ status: 400, details: { param: "amount" } });
  }
  expect((await ledger.balance()).posted).toBe(funds.available);
  const refusal = await awaitRefusal(pay("1", "two words"));
  expect(refusal).toMatchObject({ status: 400, details: { param: "Idempotency-Key" } });
  expect(await ledger.pages({}).read({ limit: 9 })).toHaveLength(1);
});

test("the ledger is paged newest first in both directions, without a gap or a repeat", async () => {
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) ids.unshift((await pay("1")).id);
  const pages = ledger.pages({});
  const forwards: string[] = [];
  for (let after: string | undefined; ; ) {
    const entries = await pages.read({ limit: 3, after });
    if (entries.length === 0) break;
    forwards.push(...entries.map(({ id }) => id));
    // A payment recorded between two pages belongs before the first one, and appears in neither.
    await pay("1");
    after = entries.at(-1)?.id;
  }
  expect(forwards).toEqual(ids);
  expect(await pages.read({ limit: 2, before: ids[5] })).toMatchObject([{ id: ids[3] }, { id: ids[4] }]);
  const between = await pages.read({ after: ids[1], before: ids[4], limit: 9 });
  expect(between).toMatchObject([{ id: ids[2] }, { id: ids[3] }]);
  expect([await pages.has("txn_none"), await pages.has(ids[0] ?? "")]).toEqual([false, true]);
});

test("a charge carries its call and price, and is found by each of them", async () => {
  await pay("1");
  await charge("one", 25n);
  await charge("two", 30n, { projectId: "proj_2", model: "sandbox-chat" });
  const readEntries = (filter: LedgerFilter) => ledger.pages(filter).read({ limit: 9 });
  const readIds = async (filter: LedgerFilter) => (await readEntries(filter)).map(({ id }) => id);
  expect(await ledger.balance()).toEqual({ posted: nano(10n ** 9n - 55n), held: ZERO, holds: 0 });
  expect(await readIds({ kind: "charge" })).toEqual(["txn_two", "txn_one"]);
  expect(await readIds({ projectId: "proj_1" })).toEqual(["txn_one"]);
  expect(await readIds({ model: "sandbox-chat" })).toEqual(["txn_two"]);
  expect(await readIds({ requestId: "req_one", kind: "charge" })).toEqual(["txn_one"]);
  expect(await readIds({ requestId: "req_one", kind: "payment" })).toEqual([]);
  expect((await readEntries({ requestId: "req_one" }))[0]).toMatchObject({
    amount: nano(25n),
    fromAccount: "balance",
    toAccount: "charges",
    call: { basis: "reported", keyId: "key_1", promptTokens: 10, completionTokens: 20, price },
  });
});

test("each entry stores the balance after it, in one batch or in several", async () => {
  await pay("1");
  await charge("one", 300_000_000n);
  await Promise.all([pay("2"), charge("two", 100_000_000n), charge("three", 50_000_000n)]);
  const entries = (await ledger.pages({}).read({ limit: 9 })).toReversed();
  let balance = 0n;
  for (const { amount, toAccount, balanceAfter } of entries) {
    balance += toAccount === "balance" ? amount : -amount;
    expect(balanceAfter).toBe(nano(balance));
  }
  expect(balance).toBe((await ledger.balance()).posted);
  expect(entries).toHaveLength(5);
});
