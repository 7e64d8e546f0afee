import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { formatAmount, type Nano, toNano } from "@/lib/money/amount";
import { simulatedEffects } from "../../simulation/simulated-effects";
import { openSqliteFunds } from "../../store/ledger/open-sqlite-funds";
import { createSqliteLedgerReader } from "../../store/ledger/sqlite-ledger-reader";
import { openTemporaryDatabase, testRequest } from "../../store/open-temporary-database";
import type { Funds } from "../funds";
import type { LedgerReader } from "../ledger/ledger-reader";
import { recordCorrection } from "./record-correction";
import { recordPayment } from "./record-payment";

const price = {
  inputPer1m: toNano(10n ** 9n),
  outputPer1m: toNano(2n * 10n ** 9n),
  rate: toNano(5n * 10n ** 8n),
};
let store: Awaited<ReturnType<typeof openTemporaryDatabase>>;
let ledger: LedgerReader;
let funds: Funds;
let effects = simulatedEffects();

beforeEach(async () => {
  store = await openTemporaryDatabase();
  effects = simulatedEffects();
  ledger = createSqliteLedgerReader(store.reads);
  funds = await openSqliteFunds({ claim: store.claim(), secret: new Uint8Array(32), onFailure: () => {} });
});

afterEach(async () => {
  await funds.close();
  await store[Symbol.asyncDispose]();
});

const asked = (key: string | null = null) => ({ key, scope: "key_1", event: testRequest.event });

async function pay(amount: string): Promise<string> {
  effects.pass(1);
  return entryOf(await recordPayment({ funds, effects }, { amount }, asked()));
}

async function correct(id: string, amount?: string, key: string | null = null): Promise<string> {
  effects.pass(1);
  const parts = { funds, effects, currency: "USD" };
  return entryOf(await recordCorrection(parts, id, { reason: "RecordedPosting twice", amount }, asked(key)));
}

function entryOf(recorded: object): string {
  if (!("entryId" in recorded)) throw new Error("nobody set an amount to approve above");
  return String(recorded.entryId);
}

/** `expect(…).rejects` blocks the event loop that would deliver the writer's answer. */
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (refusal) => refusal,
  );

/** Charges a call. @returns the entry's id. */
async function charge(name: string, amount: bigint): Promise<string> {
  const atMs = effects.clock.nowMs();
  const whose = { requestId: `req_${name}`, projectId: "proj_1", keyId: "key_1", model: "sandbox-echo" };
  const size = { promptTokens: 10, maxCompletionTokens: 20, price, amount: toNano(amount) };
  const when = { createdAtMs: atMs, deadlineAtMs: atMs + 60_000 };
  expect(await funds.placeHold({ id: `hold_${name}`, ...whose, ...size, ...when })).toBe(true);
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
      trace: null,
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
    reason: "RecordedPosting twice",
    corrected: null,
    balanceAfter: 69_500_000_000n,
    call: null,
  });
  expect(corrected).toMatchObject({ kind: "payment", amount: 100_000_000_000n, corrected: 30_500_000_000n });
  const refused = await refusalOf(correct(payment, "69.500000001"));
  expect(refused).toMatchObject({ status: 400, details: { param: "amount" } });
  expect(refused.message).toContain("69.50 USD");
  await correct(payment);
  expect(await posted()).toBe("0.00");
  expect(await refusalOf(correct(payment))).toMatchObject({ status: 409, code: "not_correctable" });
  const listed = await ledger.listed({ corrects: payment }).read({ limit: 9 });
  expect(listed.map(({ amount }) => amount as bigint)).toEqual([69_500_000_000n, 30_500_000_000n]);
});

test("a correction of a charge gives it back, under the project, key and call of the charge", async () => {
  await pay("1");
  const charged = await charge("a", 400_000_000n);
  const id = await correct(charged, "0.1");
  expect(await ledger.find(id)).toMatchObject({
    fromAccount: "charges",
    toAccount: "balance",
    call: { requestId: "req_a", projectId: "proj_1", keyId: "key_1", model: "sandbox-echo", price: null },
  });
  expect(await posted()).toBe("0.70");
  const ofCall = await ledger.listed({ requestId: "req_a" }).read({ limit: 9 });
  expect(ofCall.map((entry) => entry.kind)).toEqual(["correction", "charge"]);
  expect((await ledger.chargeOf("req_a"))?.id).toBe(charged);
});

test("a correction never makes the balance negative, and spares what calls hold", async () => {
  const payment = await pay("10");
  await charge("a", 3_000_000_000n);
  const short = await refusalOf(correct(payment));
  expect(short).toMatchObject({
    status: 402,
    code: "insufficient_balance",
    details: { balance: { available: "7.00", required: "10.00", currency: "USD" } },
  });
  expect(await ledger.listed({ kind: "correction" }).read({ limit: 9 })).toEqual([]);
  await correct(payment, "7");
  expect(await posted()).toBe("0.00");
});

test("neither a correction nor an unknown entry can be corrected", async () => {
  const payment = await pay("10");
  const correction = await correct(payment, "1");
  expect(await refusalOf(correct(correction))).toMatchObject({ status: 409, code: "not_correctable" });
  expect(await refusalOf(correct("txn_none"))).toMatchObject({ status: 404 });
});

test("a repeat with the same key is the same correction, also after all is corrected", async () => {
  const payment = await pay("10");
  const first = await correct(payment, undefined, "once");
  expect(await correct(payment, undefined, "once")).toBe(first);
  const other = await refusalOf(correct(payment, "1", "once"));
  expect(other).toMatchObject({ status: 409, code: "idempotency_conflict" });
  expect(await posted()).toBe("0.00");
});

test("many corrections at once never take back more than an entry, whichever comes first", async () => {
  const seed = Date.now() % 2 ** 31;
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { minLength: 2, maxLength: 20 });
  for (const drawn of fc.sample(amounts, { seed, numRuns: 5 })) {
    const payment = await pay("0.000001");
    const before = (await ledger.balance()).posted;
    const outcomes = await Promise.allSettled(
      drawn.map((amount) => correct(payment, formatAmount(toNano(amount)))),
    );
    const taken = drawn.reduce(
      (sum, amount, index) => (outcomes[index]?.status === "fulfilled" ? sum + amount : sum),
      0n,
    );
    const entry = await ledger.find(payment);
    expect([seed, entry?.corrected as Nano as bigint]).toEqual([seed, taken]);
    expect(taken).toBeLessThanOrEqual(1_000n);
    expect((await ledger.balance()).posted as bigint).toBe(before - taken);
    const fits = drawn.filter(
      (amount, index) => outcomes[index]?.status === "rejected" && amount <= 1_000n - taken,
    );
    expect([seed, fits]).toEqual([seed, []]);
  }
});
