import { expect, test } from "bun:test";
import fc from "fast-check";
import { findMonthSpan } from "@/lib/contract/calendar-month";
import { DAY_MS } from "@/lib/contract/durations";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { createStatementReader } from "./statement-reader.sql";
import { LineSums } from "./sum-lines.sql";

const START = Date.UTC(2027, 0, 20);

const entry = fc.record({
  afterMs: fc.integer({ min: 0, max: 4 * DAY_MS }),
  /** How far the clock of its process is off. */
  skewMs: fc.integer({ min: -60_000, max: 60_000 }),
  isPayment: fc.boolean(),
  /** Whether it corrects the last payment before it, by 1. */
  isCorrection: fc.boolean(),
  amount: fc.bigInt({ min: 0n, max: 10n ** 12n }),
  project: fc.constantFrom("proj_1", "proj_2"),
  model: fc.constantFrom("m_1", "m_2"),
});
type Entry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never;

/** Writes them as the ledger's writer does, one after the other; `balance` may go below zero here. */
function insert(path: string, entries: readonly Entry[]) {
  using sqlite = openSqlite(path);
  const add = sqlite.prepare(
    `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, model, prompt_tokens,
       completion_tokens, held, basis, balance_after) VALUES (?, ?, ?, ?, ?, ?, ?, 1, 2, ?, ?, ?)`,
  );
  let [balance, atMs] = [0n, START];
  const totals = { payments: 0n, charges: 0n, corrections: 0n };
  let paid: string | null = null;
  const correct = sqlite.prepare(
    `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, corrects, reason, balance_after)
     VALUES (?, 'correction', 1, ?, ?, 'x', ?)`,
  );
  sqlite.transaction(() => {
    for (const [
      index,
      { afterMs, skewMs, isPayment, isCorrection, amount, project, model },
    ] of entries.entries()) {
      atMs += afterMs;
      if (isCorrection && paid) {
        balance -= 1n;
        totals.corrections -= 1n;
        correct.run(`txn_${index}`, atMs + skewMs, paid, balance);
        continue;
      }
      if (isPayment) paid = `txn_${index}`;
      balance += isPayment ? amount : -amount;
      totals[isPayment ? "payments" : "charges"] += amount;
      const call = isPayment
        ? [null, null, null, null, null]
        : [`req_${index}`, project, model, amount, "reported"];
      const [request, ofProject, ofModel, held, basis] = call;
      const kind = isPayment ? "payment" : "charge";
      const at = atMs + skewMs;
      add.run(
        `txn_${index}`,
        kind,
        amount,
        at,
        request ?? null,
        ofProject ?? null,
        ofModel ?? null,
        held ?? null,
        basis ?? null,
        balance,
      );
    }
  })();
  return { balance, untilMs: atMs, ...totals };
}

test("months add up to the ledger, and lines to their month, despite different clocks", async () => {
  const seed = Date.now() % 2 ** 31;
  for (const entries of fc.sample(fc.array(entry, { minLength: 1, maxLength: 60 }), { seed, numRuns: 10 })) {
    await using temporary = await openTemporarySqlite();
    const wrote = insert(temporary.path, entries);
    const reader = createStatementReader(temporary.reads);
    const nowMs = wrote.untilMs + 60_000;
    const months = (await reader.listStatements(nowMs)).toReversed();
    const totals = { payments: 0n, charges: 0n, corrections: 0n };
    let [afterSeq, opening] = [0, 0n];
    for (const month of months) {
      expect([seed, month.afterSeq, month.opening as bigint]).toEqual([seed, afterSeq, opening]);
      expect([seed, month.opening + month.payments - month.charges + month.corrections]).toEqual([
        seed,
        month.closing,
      ]);
      const statement = await reader.findStatement(month.month, nowMs);
      const charged = statement?.lines.reduce((sum, { charges }) => sum + charges, 0n);
      const paid = statement?.paymentEntries.reduce((sum, { amount }) => sum + amount, 0n);
      const corrected = statement?.correctionEntries.reduce((sum, { amount }) => sum + amount, 0n);
      expect([seed, corrected]).toEqual([seed, month.corrections]);
      expect([seed, charged, paid]).toEqual([seed, month.charges, month.payments]);
      for (const { createdAtMs } of statement?.paymentEntries ?? []) {
        const { startMs, endMs } = findMonthSpan(month.month);
        expect([seed, createdAtMs >= startMs - 120_000, createdAtMs < endMs + 120_000]).toEqual([
          seed,
          true,
          true,
        ]);
      }
      totals.payments += month.payments;
      totals.charges += month.charges;
      totals.corrections += month.corrections;
      [afterSeq, opening] = [month.lastSeq, month.closing];
    }
    expect([seed, afterSeq, opening, totals]).toEqual([
      seed,
      entries.length,
      wrote.balance,
      { payments: wrote.payments, charges: wrote.charges, corrections: wrote.corrections },
    ]);
  }
});

test("charges are added up in steps, from where an earlier question ended, also when two ask at once", async () => {
  const seed = Date.now() % 2 ** 31;
  const entries = fc.sample(entry, { seed, numRuns: 200 });
  await using temporary = await openTemporarySqlite();
  insert(temporary.path, entries);
  const stepped = new LineSums(temporary.reads, 7);
  const [one, other] = await Promise.all([stepped.sum(3, 90), stepped.sum(3, 150)]);
  expect([seed, one]).toEqual([seed, await new LineSums(temporary.reads).sum(3, 90)]);
  expect([seed, other]).toEqual([seed, await new LineSums(temporary.reads).sum(3, 150)]);
  expect([seed, await stepped.sum(3, 200)]).toEqual([seed, await new LineSums(temporary.reads).sum(3, 200)]);
  expect([seed, await stepped.sum(3, 40)]).toEqual([seed, await new LineSums(temporary.reads).sum(3, 40)]);
});

test("charges that were added up in advance are those that a question adds up", async () => {
  const seed = Date.now() % 2 ** 31;
  await using temporary = await openTemporarySqlite();
  insert(temporary.path, fc.sample(entry, { seed, numRuns: 200 }));
  const prepared = new LineSums(temporary.reads, 7);
  const expected = (lastSeq: number) => new LineSums(temporary.reads).sum(3, lastSeq);
  let steps = 1;
  while (await prepared.prepare(3, 150)) {
    steps++;
    if (steps % 5 === 0) expect([seed, await prepared.sum(3, 60)]).toEqual([seed, await expected(60)]);
  }
  expect([seed, await prepared.sum(3, 150)]).toEqual([seed, await expected(150)]);
  expect([seed, await prepared.sum(3, 190)]).toEqual([seed, await expected(190)]);
  expect(await prepared.prepare(3, 190)).toBe(false);
});
