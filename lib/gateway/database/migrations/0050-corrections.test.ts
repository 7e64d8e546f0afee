import { expect, test } from "bun:test";
import { installTriggers } from "../../changes/audit/audited-tables.sql";
import { examine } from "../../doctor/examine";
import { openLedger } from "../../doctor/testing/open-test-ledger";
import { createQueryBuilder } from "../database";
import { openSqlite } from "../open-sqlite";
import { up } from "./0050-corrections";
import * as chargedUnits from "./0070-charged-units";

const SCHEMA =
  "SELECT type, name, sql FROM sqlite_master WHERE tbl_name IN ('ledger_entries', 'request_log') ORDER BY type, name";

test("the copy of the ledger has every entry, index, trigger and hash, and takes corrections", async () => {
  await using temporary = await openLedger();
  {
    using sqlite = openSqlite(temporary.path, { safeIntegers: true });
    // Later migrations add them.
    sqlite.run("DROP INDEX ledger_entries_of_batches");
    sqlite.run("ALTER TABLE ledger_entries DROP COLUMN counted_tokens");
    sqlite.run("ALTER TABLE ledger_entries DROP COLUMN audio");
    sqlite.run("ALTER TABLE ledger_entries DROP COLUMN batch_id");
    const rows = () => sqlite.query("SELECT * FROM ledger_entries ORDER BY seq").all();
    const [before, schema] = [rows(), sqlite.query(SCHEMA).all()];
    expect(before).toHaveLength(4);
    // The columns of payments that wait stand already.
    for (const event of ["insert", "update", "delete"])
      sqlite.run(`DROP TRIGGER pending_payments_audit_${event}`);
    sqlite.run("ALTER TABLE pending_payments DROP COLUMN correction_reason");
    sqlite.run("ALTER TABLE pending_payments DROP COLUMN corrects");
    await up(createQueryBuilder(sqlite) as never);
    await chargedUnits.up(createQueryBuilder(sqlite) as never);
    installTriggers(sqlite);
    expect(rows()).toEqual(before);
    expect(sqlite.query(SCHEMA).all()).toEqual(schema);
    sqlite.run("ALTER TABLE ledger_entries ADD COLUMN batch_id TEXT");
    sqlite.run("ALTER TABLE ledger_entries ADD COLUMN audio TEXT");
    sqlite.run("ALTER TABLE ledger_entries ADD COLUMN counted_tokens INTEGER");
  }
  expect(examine(temporary.path, 1_800_000_000_000).flatMap(({ faults }) => faults)).toEqual([]);
});

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
