import { Database as BunDatabase } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../database/open-sqlite";
import { claimStore } from "../database/store-guard";
import { testRequest } from "../database/testing/open-temporary-database";
import { writeMigratedStore } from "../database/testing/write-migrated-store";
import type { CallEnd, Funds, HoldDraft, Settlement } from "./funds";
import { openSqliteFunds } from "./funds.sql";
import { usualPatience, type WriterPatience } from "./writer/ledger-operation";

const secret = new Uint8Array(32);
let folder: string;
let path: string;
let allFunds: Funds[] = [];
let failures: string[] = [];

const price = {
  inputPer1m: toNano(1_000_000_000n),
  outputPer1m: toNano(2_000_000_000n),
  rate: toNano(500_000_000n),
};
const nano = (amount: bigint) => toNano(amount);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-ledger-"));
  path = join(folder, "gatehouse.db");
  failures = [];
  await writeMigratedStore(path);
});

afterEach(async () => {
  await Promise.all(allFunds.map((funds) => funds.close()));
  allFunds = [];
  rmSync(folder, { recursive: true });
});

/** Long enough for any disk. */
const patient: WriterPatience = { stalledMs: 60_000, slowMs: 60_000 };

async function open(owner = "this process", patience = patient) {
  using sqlite = openSqlite(path);
  const claim = claimStore(sqlite, path, owner);
  const funds = await openSqliteFunds({
    claim,
    secret,
    onFailure: (reason) => failures.push(reason),
    patience,
  });
  allFunds.push(funds);
  return funds;
}

async function openWith(balance: bigint, patience = patient) {
  const funds = await open("this process", patience);
  await funds.recordPayment(
    { id: "txn_p", amount: nano(balance), reference: null, createdAtMs: 1 },
    null,
    testRequest.event,
  );
  return funds;
}

function rows(sql: string): Record<string, unknown>[] {
  using database = new BunDatabase(path, { readonly: true });
  return database.query<Record<string, unknown>, []>(sql).all();
}

const accounts = () =>
  Object.fromEntries(rows("SELECT * FROM accounts").map(({ name, balance }) => [name, balance]));

function createHold(name: string, amount: bigint): HoldDraft {
  return {
    id: `hold_${name}`,
    requestId: `req_${name}`,
    amount: nano(amount),
    projectId: "proj_1",
    keyId: "key_1",
    model: "sandbox-echo",
    promptTokens: 10,
    maxCompletionTokens: 20,
    price,
    createdAtMs: 100,
    deadlineAtMs: 200,
  };
}

const end: CallEnd = {
  outcome: "completed",
  status: 200,
  stream: false,
  estimatedTokens: 30,
  firstByteMs: 1,
  durationMs: 2,
  atMs: 150,
  provider: "sandbox",
  receiptDetails: null,
};

function createSettlement(name: string, charge: bigint): Settlement {
  return {
    holdId: `hold_${name}`,
    entryId: `txn_${name}`,
    varianceEntryId: `txn_${name}v`,
    charge: nano(charge),
    usage: { promptTokens: 10, completionTokens: 5 },
    basis: "reported",
    end,
  };
}

test("a settled hold is charged once, however often it is settled or released", async () => {
  const funds = await openWith(1_000n);
  expect(await funds.placeHold(createHold("a", 300n))).toBe("placed");
  const settlements = [createSettlement("a", 120n), createSettlement("a", 300n)];
  await Promise.all(settlements.map((settlement) => funds.settle(settlement)));
  await funds.release({ holdId: "hold_a", end });
  expect(accounts()).toEqual({ payments: -1_000, balance: 880, charges: 120, provider_variance: 0 });
  expect(
    rows("SELECT kind, amount, held, model, basis, rate FROM ledger_entries WHERE kind <> 'payment'"),
  ).toEqual([
    {
      kind: "charge",
      amount: 120,
      held: 300,
      model: "sandbox-echo",
      basis: "reported",
      rate: 500_000_000,
    },
  ]);
  expect(rows("SELECT id, outcome, prompt_tokens, completion_tokens FROM request_log")).toEqual([
    { id: "req_a", outcome: "completed", prompt_tokens: 10, completion_tokens: 5 },
  ]);
  expect(failures).toEqual([]);
});

test("books usage beyond the hold as provider variance, never against the balance", async () => {
  const funds = await openWith(1_000n);
  await funds.placeHold(createHold("a", 300n));
  await funds.settle(createSettlement("a", 450n));
  expect(accounts()).toEqual({ payments: -1_000, balance: 700, charges: 450, provider_variance: -150 });
});

test("holds of one moment never exceed the stored balance", async () => {
  const funds = await openWith(1_000n);
  const names = Array.from({ length: 50 }, (_, index) => String(index));
  const outcomes = await Promise.all(names.map((name) => funds.placeHold(createHold(name, 300n))));
  expect(outcomes.filter((outcome) => outcome === "placed")).toHaveLength(3);
  expect(rows("SELECT count(*) AS n FROM holds")).toEqual([{ n: 3 }]);
});

test("one operation that breaks a rule fails without affecting the others", async () => {
  const funds = await openWith(1_000n);
  const outcomes = await Promise.allSettled([
    funds.placeHold(createHold("a", 100n)),
    funds.placeHold(createHold("a", 100n)),
    funds.placeHold(createHold("b", 900n)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(outcomes[2]).toMatchObject({ value: "placed" });
  expect(failures).toHaveLength(1);
});

test("a payment with the same idempotency key is recorded once, and refused with another body", async () => {
  const funds = await open();
  const pay = (id: string, bodyHash: string, createdAtMs: number) =>
    funds.recordPayment(
      { id, amount: nano(12_345_678_901_234_567n), reference: "Invoice 7", createdAtMs },
      { scope: "payments", key: "once", bodyHash },
      testRequest.event,
    );
  const first = await pay("txn_1", "same", 1_000);
  expect(first.kind).toBe("recorded");
  expect(await pay("txn_2", "same", 2_000)).toEqual({ ...first, kind: "repeated" } as typeof first);
  expect(await pay("txn_3", "other", 3_000)).toEqual({ kind: "conflict" });
  expect((await pay("txn_4", "other", 1_000 + 24 * 60 * 60 * 1000)).kind).toBe("recorded");
  expect(rows("SELECT id FROM ledger_entries")).toEqual([{ id: "txn_1" }, { id: "txn_4" }]);
});

test("resolves the open holds of a dead gateway at the next start", async () => {
  const funds = await openWith(1_000_000n);
  await funds.placeHold(createHold("sent", 30_000n));
  await funds.placeHold(createHold("streamed", 30_000n));
  const receiptDetails = "[null,null,null,[]]";
  const checkpoint = { completionTokens: 7, stream: true, provider: "openai", receiptDetails };
  funds.checkpoint("hold_streamed", checkpoint);
  await funds.close();
  allFunds = [];
  const next = await open("the next process");
  expect(next.available).toBe(nano(1_000_000n - 60_000n));
  expect(await next.takeOver("all but mine", 5_000)).toBe(2);
  // 10 prompt tokens at 0.5 of 1.00 per million, then with 7 output tokens at 2.00.
  expect(next.available).toBe(nano(1_000_000n - 5_000n - 12_000n));
  expect(rows("SELECT outcome FROM request_log")).toEqual([
    { outcome: "interrupted" },
    { outcome: "interrupted" },
  ]);
  expect(
    rows("SELECT request_id, stream, provider, trace FROM ledger_entries WHERE kind = 'charge'"),
  ).toEqual([
    { request_id: "req_sent", stream: 0, provider: null, trace: null },
    { request_id: "req_streamed", stream: 1, provider: "openai", trace: receiptDetails },
  ]);
  expect(rows("SELECT DISTINCT basis FROM ledger_entries WHERE kind = 'charge'")).toEqual([
    { basis: "interrupted" },
  ]);
});

test("a store that can't be written refuses within two seconds and serves again once it can", async () => {
  const funds = await openWith(1_000n, usualPatience);
  const blocker = new BunDatabase(path);
  blocker.run("BEGIN IMMEDIATE");
  const refused = await Promise.allSettled([
    funds.placeHold(createHold("a", 1n)),
    funds.placeHold(createHold("b", 1n)),
  ]);
  expect(refused).toMatchObject([{ reason: { code: "store_unavailable" } }, { reason: { status: 503 } }]);
  expect(funds.isHealthy()).toBe(false);
  // Refused at once: a call that arrives while the store is blocked doesn't wait.
  await expect(funds.placeHold(createHold("c", 1n))).rejects.toMatchObject({ code: "store_unavailable" });
  blocker.run("ROLLBACK");
  blocker.close();
  // This takeover's turn comes after the two, so the writer has answered them then.
  await funds.takeOver("expired", Date.now());
  expect(funds.isHealthy()).toBe(true);
  expect(await funds.placeHold(createHold("d", 1_000n))).toBe("placed");
  // The store accepted the two after they were refused, so they are released and hold nothing.
  expect(rows("SELECT id FROM holds")).toEqual([{ id: "hold_d" }]);
  expect(rows("SELECT id, outcome, status FROM request_log ORDER BY id")).toEqual([
    { id: "req_a", outcome: "unsent", status: 503 },
    { id: "req_b", outcome: "unsent", status: 503 },
  ]);
});

test("a failed store is found healthy again, even without writes", async () => {
  const funds = await openWith(1_000n, usualPatience);
  const blocker = new BunDatabase(path);
  blocker.run("BEGIN IMMEDIATE");
  await expect(funds.placeHold(createHold("a", 1n))).rejects.toMatchObject({ code: "store_unavailable" });
  while (!failures.some((reason) => reason.includes("database is locked"))) await new Promise(setImmediate);
  blocker.run("ROLLBACK");
  blocker.close();
  expect(funds.isHealthy()).toBe(false);
  while (!funds.isHealthy()) await new Promise(setImmediate);
  expect(rows("SELECT id FROM holds")).toEqual([]);
});
