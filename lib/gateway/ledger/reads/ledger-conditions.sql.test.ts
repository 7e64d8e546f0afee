import type { Database as Sqlite } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { AuditTrail } from "../../changes/audit/audit-trail.sql";
import { openSqlite } from "../../database/open-sqlite";
import { openTemporarySqlite } from "../../database/testing/open-temporary-database";
import { sumCalls } from "../../log/sums/sum-calls.sql";
import { createLedgerReader } from "./ledger-reader.sql";

const START = Date.UTC(2027, 0, 15, 10);

const timedEntry = fc.record({
  afterMs: fc.integer({ min: 0, max: 10 * DAY_MS }),
  durationMs: fc.integer({ min: 0, max: 2 * DAY_MS }),
  isPayment: fc.boolean(),
  amount: fc.constantFrom(1n, 2n, 3n, 50n, 700n),
});

test("entries of at least an amount are found, however far the calls are summed", async () => {
  const seed = Date.now() % 2 ** 31;
  for (const sample of fc.sample(fc.array(timedEntry, { minLength: 1, maxLength: 40 }), {
    seed,
    numRuns: 8,
  })) {
    const entries = sample.toSorted((one, other) => one.afterMs - other.afterMs);
    await using temporary = await openTemporarySqlite();
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
    await sumCalls(temporary.direct, async () => true);
    write(half, entries.length);
    for (const _summed of [false, true]) {
      for (const minAmount of [0n, 2n, 50n, 700n, 701n]) {
        const list = createLedgerReader(temporary.reads).pages({ minAmount: toNano(minAmount) });
        const found = (await list.read({ limit: 100 })).map(({ amount }) => amount as bigint);
        const expected = entries.filter(({ amount }) => amount >= minAmount).map(({ amount }) => amount);
        expect([seed, minAmount, found]).toEqual([seed, minAmount, expected.toReversed()]);
      }
      await sumCalls(temporary.direct, async () => true);
    }
  }
});

const names = { p1: "Café robots", p2: "100%", k1: "nightly", k2: "site_1" } as const;
const models = ["gpt-5-mini", "claude-4", "100%-model"];
const texts = ["gpt", "CLAUDE", "robots", "%", "night", "po-1", "acme", "_1", "0%-", "none of these"];

const charge = fc.record({
  kind: fc.constant("charge"),
  project: fc.constantFrom("p1", "p2"),
  key: fc.constantFrom("k1", "k2"),
  model: fc.constantFrom(...models),
});
const payment = fc.record({
  kind: fc.constant("payment"),
  reference: fc.constantFrom("PO-1041", "ACME", "100%", null),
  note: fc.constantFrom("by gpt", "Café", null),
});
const entry = fc.oneof({ weight: 3, arbitrary: charge }, payment);

test("a text finds the entries that mention it, and no others, however far the calls are summed", async () => {
  const seed = Date.now() % 2 ** 31;
  for (const entries of fc.sample(fc.array(entry, { minLength: 1, maxLength: 30 }), { seed, numRuns: 5 })) {
    await using temporary = await openTemporarySqlite();
    using sqlite = openSqlite(temporary.path);
    sqlite.run("PRAGMA synchronous = OFF");
    insertNames(sqlite);
    const write = (from: number, to: number) => {
      for (const [index, row] of entries.slice(from, to).entries()) insertEntry(sqlite, from + index, row);
    };
    const half = Math.floor(entries.length / 2);
    write(0, half);
    await sumCalls(temporary.direct, async () => true);
    write(half, entries.length);
    for (const _summed of [false, true]) {
      for (const text of texts) {
        const found = await createLedgerReader(temporary.reads).pages({ text }).read({ limit: 100 });
        const expected = entries.flatMap((row, index) => (mentions(row, text) ? [toId(index)] : []));
        expect([seed, text, found.map(({ id }) => id)]).toEqual([seed, text, expected.toReversed()]);
      }
      await sumCalls(temporary.direct, async () => true);
    }
  }
});

test("an entry is found by its id, its request's, and the beginning of either", async () => {
  await using temporary = await openTemporarySqlite();
  using sqlite = openSqlite(temporary.path);
  insertNames(sqlite);
  const row = { kind: "charge", project: "p1", key: "k1", model: "gpt-5-mini" } as const;
  for (const index of [0, 1, 2]) insertEntry(sqlite, index, row);
  const read = async (text: string) =>
    (await createLedgerReader(temporary.reads).pages({ text }).read({ limit: 10 })).map(({ id }) => id);
  const tail = toId(1).slice("txn_".length);
  for (const text of [toId(1), `req_${tail}`, tail.toUpperCase()])
    expect([text, await read(text)]).toEqual([text, [toId(1)]]);
  expect(await read(`req_${tail.slice(0, 12)}`)).toEqual([toId(2), toId(1), toId(0)]);
  expect(await read("txn_9".padEnd(30, "9"))).toEqual([]);
});

type Entry = typeof entry extends fc.Arbitrary<infer Row> ? Row : never;

const toId = (index: number) => `txn_${String(index).padStart(26, "0")}`;

/** SQLite's LIKE ignores the case of ASCII letters only, of which the texts consist. */
function mentions(row: Entry, text: string): boolean {
  const parts =
    "model" in row
      ? [row.model, names[row.project as "p1"], names[row.key as "k1"]]
      : [row.reference ?? "", row.note ?? ""];
  return parts.some((part) => part.toLowerCase().includes(text.toLowerCase()));
}

function insertNames(sqlite: Sqlite): void {
  sqlite.transaction(() => {
    for (const id of ["p1", "p2"] as const)
      sqlite.run("INSERT INTO projects (id, name, created_at_ms) VALUES (?, ?, 1)", [id, names[id]]);
    for (const id of ["k1", "k2"] as const)
      sqlite.run(
        "INSERT INTO project_api_keys (id, project_id, name, hash, last_four, created_at_ms) VALUES (?1, 'p1', ?2, ?1, 'abcd', 1)",
        [id, names[id]],
      );
    new AuditTrail(sqlite).log(null);
  })();
}

function insertEntry(sqlite: Sqlite, index: number, row: Entry): void {
  const isCharge = "model" in row;
  sqlite.run(
    `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, reference, note, request_id, project_id, key_id, model, held,
       started_at_ms, stream, outcome, status)
     VALUES (?1, ?2, 5, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 5, ?3, 0, 'completed', 200)`,
    [
      toId(index),
      row.kind,
      START + index,
      isCharge ? null : row.reference,
      isCharge ? null : row.note,
      isCharge ? toId(index).replace("txn_", "req_") : null,
      isCharge ? row.project : null,
      isCharge ? row.key : null,
      isCharge ? row.model : null,
    ],
  );
}
