import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { formatAmount, type Nano, toNano } from "@/lib/money/amount";
import { openTemporarySqlite, testRequest } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { awaitRefusal } from "../../testing/catch-refusal";
import type { Funds } from "../funds";
import { openSqliteFunds } from "../funds.sql";
import { createLedgerReader, type LedgerReader } from "../reads/ledger-reader.sql";
import { recordCorrection, recordPayment } from "./payments";

const price = {
  inputPer1m: toNano(10n ** 9n),
  outputPer1m: toNano(2n * 10n ** 9n),
  rate: toNano(5n * 10n ** 8n),
};
let store: Awaited<ReturnType<typeof openTemporarySqlite>>;
let ledger: LedgerReader;
let funds: Funds;
let runtime = simulatedRuntime();

beforeEach(async () => {
  store = await openTemporarySqlite();
  runtime = simulatedRuntime();
  ledger = createLedgerReader(store.reads);
  funds = await openSqliteFunds({ claim: store.claim(), secret: new Uint8Array(32), onFailure: () => {} });
});

afterEach(async () => {
  await funds.close();
  await store[Symbol.asyncDispose]();
});

const createIdempotency = (key: string | null = null) => ({ key, scope: "key_1", event: testRequest.event });

async function pay(amount: string): Promise<string> {
  runtime.pass(1);
  return readEntry(await recordPayment({ funds, runtime }, { amount }, createIdempotency()));
}

async function correct(id: string, amount?: string, key: string | null = null): Promise<string> {
  runtime.pass(1);
  const parts = { funds, runtime, currency: "USD" };
  return readEntry(
    await recordCorrection(parts, id, { reason: "Posted twice", amount }, createIdempotency(key)),
  );
}

function readEntry(recorded: object): string {
  if (!("entryId" in recorded)) throw new Error("nobody set an amount to approve above");
  return String(recorded.entryId);
}

/** Charges a call. @returns the entry's id. */
async function charge(name: string, amount: bigint): Promise<string> {
  const atMs = runtime.clock.nowMs();
  const whose = { requestId: `req_${name}`, projectId: "proj_1", keyId: "key_1", model: "sandbox-echo" };
  const size = { promptTokens: 10, maxCompletionTokens: 20, price, amount: toNano(amount) };
  const when = { createdAtMs: atMs, deadlineAtMs: atMs + 60_000 };
  expect(await funds.placeHold({ id: `hold_${name}`, ...whose, ...size, ...when })).toBe("placed");
  await funds.settle({
    holdId: `hold_${name}`,
    entryId: `txn_${name}`,
    varianceEntryId: `txn_${name}v`,
    charge: toNano(amount),
    usage: { promptTokens: 10, completionTokens: 5 },
    basis: "reported",
    end: {
      outcome: "completed",
      status: 200,
      stream: false,
      estimatedTokens: 30,
      firstByteMs: 1,
      durationMs: 2,
      atMs,
      provider: "sandbox",
      receiptDetails: null,
    },
  });
  return `txn_${name}`;
}

const posted = async () => formatAmount((await ledger.balance()).posted);

test("a payment can be corrected in parts up to its whole amount", async () => {
  const payment = await pay("100");
  const part = await correct(payment, "30.5");
  const [correction, corrected] = [await ledger.find(part), await ledger.find(payment)];
  expect(correction).toMatchObject({
    kind: "correction",
    amount: 30_500_000_000n,
    fromAccount: "balance",
    toAccount: "payments",
    corrects: payment,
    reason: "Posted twice",
    corrected: null,
    balanceAfter: 69_500_000_000n,
    call: null,
  });
  expect(corrected).toMatchObject({ kind: "payment", amount: 100_000_000_000n, corrected: 30_500_000_000n });
  const refusal = await awaitRefusal(correct(payment, "69.500000001"));
  expect(refusal).toMatchObject({ status: 400, details: { param: "amount" } });
  expect(refusal.message).toContain("69.50 USD");
  await correct(payment);
  expect(await posted()).toBe("0.00");
  expect(await awaitRefusal(correct(payment))).toMatchObject({ status: 409, code: "not_correctable" });
  const corrections = await ledger.pages({ corrects: payment }).read({ limit: 9 });
  expect(corrections.map(({ amount }) => amount as bigint)).toEqual([69_500_000_000n, 30_500_000_000n]);
});

test("a correction of a charge gives it back, under the project, key and call of the charge", async () => {
  await pay("1");
  const chargeId = await charge("a", 400_000_000n);
  const id = await correct(chargeId, "0.1");
  expect(await ledger.find(id)).toMatchObject({
    fromAccount: "charges",
    toAccount: "balance",
    call: { requestId: "req_a", projectId: "proj_1", keyId: "key_1", model: "sandbox-echo", price: null },
  });
  expect(await posted()).toBe("0.70");
  const callEntries = await ledger.pages({ requestId: "req_a" }).read({ limit: 9 });
  expect(callEntries.map((entry) => entry.kind)).toEqual(["correction", "charge"]);
  expect((await ledger.findCharge("req_a"))?.id).toBe(chargeId);
});

test("a correction never makes the balance negative, and spares what calls hold", async () => {
  const payment = await pay("10");
  await charge("a", 3_000_000_000n);
  const short = await awaitRefusal(correct(payment));
  expect(short).toMatchObject({
    status: 402,
    code: "insufficient_balance",
    details: { balance: { available: "7.00", required: "10.00", currency: "USD" } },
  });
  expect(await ledger.pages({ kind: "correction" }).read({ limit: 9 })).toEqual([]);
  await correct(payment, "7");
  expect(await posted()).toBe("0.00");
});

test("neither a correction nor an unknown entry can be corrected", async () => {
  const payment = await pay("10");
  const correction = await correct(payment, "1");
  expect(await awaitRefusal(correct(correction))).toMatchObject({ status: 409, code: "not_correctable" });
  expect(await awaitRefusal(correct("txn_none"))).toMatchObject({ status: 404 });
});

test("a repeat with the same key is the same correction, also after all is corrected", async () => {
  const payment = await pay("10");
  const first = await correct(payment, undefined, "once");
  expect(await correct(payment, undefined, "once")).toBe(first);
  const otherRefusal = await awaitRefusal(correct(payment, "1", "once"));
  expect(otherRefusal).toMatchObject({ status: 409, code: "idempotency_conflict" });
  expect(await posted()).toBe("0.00");
});

test("many corrections at once never take back more than an entry, whichever comes first", async () => {
  const seed = Date.now() % 2 ** 31;
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { minLength: 2, maxLength: 20 });
  for (const sample of fc.sample(amounts, { seed, numRuns: 5 })) {
    const payment = await pay("0.000001");
    const balanceBefore = (await ledger.balance()).posted;
    const outcomes = await Promise.allSettled(
      sample.map((amount) => correct(payment, formatAmount(toNano(amount)))),
    );
    const correctedSum = sample.reduce(
      (sum, amount, index) => (outcomes[index]?.status === "fulfilled" ? sum + amount : sum),
      0n,
    );
    const entry = await ledger.find(payment);
    expect([seed, entry?.corrected as Nano as bigint]).toEqual([seed, correctedSum]);
    expect(correctedSum).toBeLessThanOrEqual(1_000n);
    expect((await ledger.balance()).posted as bigint).toBe(balanceBefore - correctedSum);
    const fits = sample.filter(
      (amount, index) => outcomes[index]?.status === "rejected" && amount <= 1_000n - correctedSum,
    );
    expect([seed, fits]).toEqual([seed, []]);
  }
});
