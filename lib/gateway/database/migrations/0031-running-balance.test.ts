import { expect, test } from "bun:test";
import { openSqlite } from "../open-sqlite";
import { openTemporaryDatabase } from "../testing/open-temporary-database";
import { NOTE_BALANCES } from "./0031-running-balance";

test("entries from before come to say what the balance was with them, and can't be changed afterwards", async () => {
  await using temporary = await openTemporaryDatabase();
  using sqlite = openSqlite(temporary.path);
  const insert = (id: string, kind: string, amount: number) =>
    sqlite.run(
      `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, request_id, held, basis)
       VALUES (?, ?, ?, 1, ?, ?, 'reported')`,
      [id, kind, amount, id.replace("txn", "req"), amount],
    );
  insert("txn_1", "payment", 1_000);
  insert("txn_2", "charge", 300);
  insert("txn_2_variance", "provider_variance", 50);
  insert("txn_3", "payment", 7);
  sqlite.run(NOTE_BALANCES);
  const after = sqlite.query("SELECT balance_after FROM ledger_entries ORDER BY seq").values().flat();
  expect(after).toEqual([1_000, 700, 700, 707]);
  expect(() => sqlite.run("UPDATE ledger_entries SET balance_after = 0")).toThrow("immutable");
});
