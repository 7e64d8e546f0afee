import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../../log/sums/sum-calls.sql";
import { createSqliteLedgerReader } from "./ledger-reader.sql";

const START = Date.UTC(2027, 0, 15, 10);

const entry = fc.record({
  afterMs: fc.integer({ min: 0, max: 10 * DAY_MS }),
  durationMs: fc.integer({ min: 0, max: 2 * DAY_MS }),
  isPayment: fc.boolean(),
  amount: fc.constantFrom(1n, 2n, 3n, 50n, 700n),
});

test("entries of at least an amount are found, however far the calls are summed", async () => {
  const seed = Date.now() % 2 ** 31;
  for (const sample of fc.sample(fc.array(entry, { minLength: 1, maxLength: 40 }), { seed, numRuns: 8 })) {
    const entries = sample.toSorted((one, other) => one.afterMs - other.afterMs);
    await using temporary = await openTemporaryDatabase();
    using sqlite = openSqlite(temporary.path);
    sqlite.run("PRAGMA synchronous = OFF");
    const write = (from: number, to: number) => {
      for (const [index, { afterMs, durationMs, isPayment, amount }] of entries.entries()) {
        if (index < from || index >= to) continue;
        sqlite.run(
          `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, project_id, key_id, model, held, started_at_ms,
             stream, outcome, status)
           VALUES ('txn_' || ?1, ?2, ?3, ?4, iif(?2 = 'charge', 'req_' || ?1, NULL), 'p', 'k', 'm', ?3, ?5, 0, 'completed', 200)`,
          [
            String(index).padStart(26, "0"),
            isPayment ? "payment" : "charge",
            amount,
            START + afterMs,
            START + afterMs - durationMs,
          ],
        );
      }
    };
    const half = Math.floor(entries.length / 2);
    write(0, half);
    await sumCalls(sqlite, async () => true);
    write(half, entries.length);
    for (const _summed of [false, true]) {
      for (const minAmount of [0n, 2n, 50n, 700n, 701n]) {
        const list = createSqliteLedgerReader(temporary.reads).pages({ minAmount: toNano(minAmount) });
        const found = (await list.read({ limit: 100 })).map(({ amount }) => amount as bigint);
        const expected = entries.filter(({ amount }) => amount >= minAmount).map(({ amount }) => amount);
        expect([seed, minAmount, found]).toEqual([seed, minAmount, expected.toReversed()]);
      }
      await sumCalls(sqlite, async () => true);
    }
  }
});
