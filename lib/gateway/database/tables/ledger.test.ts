import { expect, test } from "bun:test";
import { openLedger } from "../../doctor/testing/open-test-ledger";
import { CHAINED_COLUMNS } from "../../ledger/ledger-row";
import { openSqlite } from "../open-sqlite";

test.each([
  ["without a reason", "'txn_x', 1, 'txn_p', NULL"],
  ["of nothing", "'txn_x', 1, NULL, 'x'"],
  ["of itself", "'txn_x', 1, 'txn_x', 'x'"],
  ["of no amount", "'txn_x', 0, 'txn_p', 'x'"],
])("the table refuses a correction %s", async (_what, values) => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path);
  const insert = `INSERT INTO ledger_entries (kind, created_at_ms, id, amount, corrects, reason) VALUES ('correction', 1, ${values})`;
  expect(() => sqlite.run(insert)).toThrow("ledger_entries_kind");
});

test("a correction can be neither changed nor deleted, and a payment's note can't be changed", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path);
  sqlite.run(
    "INSERT INTO ledger_entries (kind, created_at_ms, id, amount, corrects, reason) VALUES ('correction', 1, 'txn_x', 1, 'txn_p', 'x')",
  );
  for (const change of [
    "UPDATE ledger_entries SET reason = 'y' WHERE id = 'txn_x'",
    "UPDATE ledger_entries SET corrects = 'txn_a' WHERE id = 'txn_x'",
    "UPDATE ledger_entries SET note = 'y' WHERE id = 'txn_p'",
    "DELETE FROM ledger_entries WHERE id = 'txn_x'",
  ])
    expect(() => sqlite.run(change)).toThrow("immutable");
});

test("no column of an entry that its hash covers can be changed, nor any other but its trace and its balance", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path);
  const stored = sqlite
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('ledger_entries')")
    .all();
  const names = stored.map(({ name }) => name).filter((name) => name !== "trace" && name !== "balance_after");
  expect(names).toEqual(expect.arrayContaining([...CHAINED_COLUMNS]));
  for (const name of names)
    expect(() => sqlite.run(`UPDATE ledger_entries SET ${name} = ${name}`)).toThrow("immutable");
});

test("the balance after an entry is set once", async () => {
  await using temporary = await openLedger();
  using sqlite = openSqlite(temporary.path);
  sqlite.run(
    "INSERT INTO ledger_entries (id, kind, amount, created_at_ms) VALUES ('txn_y', 'payment', 1000, 1)",
  );
  sqlite.run("UPDATE ledger_entries SET balance_after = 1000 WHERE id = 'txn_y'");
  expect(() => sqlite.run("UPDATE ledger_entries SET balance_after = 0")).toThrow("immutable");
});
