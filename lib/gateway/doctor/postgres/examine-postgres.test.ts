import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBooks } from "../../rate-limits/testing/open-books";
import { backUpPostgres } from "../back-up";
import { examine, type Finding } from "../examine-outputs";
import { examinePostgres } from "./examine-postgres";

let books: Awaited<ReturnType<typeof openBooks>>;

beforeAll(async () => {
  books = await openBooks();
  const { first } = books;
  for (let calls = 0; calls < 3; calls++) await first.settle(await first.place());
  await first.place();
}, 60_000);

afterAll(async () => {
  await books?.[Symbol.asyncDispose]();
});

const examineNow = async () => listFaults(await examinePostgres(books.url, { nowMs: Date.now() }));

/** Tests run PostgreSQL without waiting for the disk. */
const listFaults = (findings: Finding[]) =>
  findings
    .filter(({ title }) => title !== "PostgreSQL keeps what it has answered")
    .flatMap(({ faults }) => faults);

/** Alters rows as nobody may: with their triggers off. */
async function forge(table: string, change: string) {
  await books.rows(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await books.rows(change);
  await books.rows(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

test("a sound database has no fault, and its backup is an embedded database without one", async () => {
  expect(await examineNow()).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  const file = join(folder, "gatehouse.sqlite");
  expect(await backUpPostgres(books.url, file)).toBeGreaterThan(100_000);
  expect(listFaults(examine(file, Date.now()))).toEqual([]);
  await expect(backUpPostgres(books.url, file)).rejects.toThrow("is there already");
  rmSync(folder, { recursive: true });
});

test.each([
  [
    "an entry",
    "ledger_entries",
    "UPDATE ledger_entries SET amount = amount + 1 WHERE kind = 'charge' AND seq = 2",
    "I11",
    "UPDATE ledger_entries SET amount = amount - 1 WHERE seq = 2",
  ],
  [
    "the balance",
    "book",
    "UPDATE book SET balance = balance + 1, payments = payments - 1",
    "balance = entries",
    "UPDATE book SET balance = balance - 1, payments = payments + 1",
  ],
  [
    "a window",
    "windows",
    "UPDATE windows SET used[1] = used[1] + 1",
    "windows = sums of slots",
    "UPDATE windows SET used[1] = used[1] - 1",
  ],
  [
    "the month's spend",
    "spend",
    "UPDATE spend SET spent = spent + 1 WHERE scope = 'organization'",
    "spend",
    "UPDATE spend SET spent = spent - 1 WHERE scope = 'organization'",
  ],
])("%s that was altered by hand is found", async (_name, table, change, named, back) => {
  await forge(table, change);
  const findings = await examinePostgres(books.url, { nowMs: Date.now() });
  const told = findings
    .filter(({ faults }) => faults.length > 0)
    .map(({ title, faults }) => [title, ...faults].join(" "));
  expect(told.join(" ")).toContain(named);
  await forge(table, back);
  expect(await examineNow()).toEqual([]);
});

test("a trigger that is off, an altered procedure, and tables that aren't cleaned up are found", async () => {
  await books.rows("ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_are_not_changed");
  await books.rows(
    "CREATE OR REPLACE FUNCTION take_over_v1(me text) RETURNS bigint LANGUAGE sql AS 'SELECT 0::bigint'",
  );
  await books.rows("ALTER TABLE holds SET (autovacuum_enabled = false)");
  const faults = (await examineNow()).join("\n");
  expect(faults).toContain("The trigger ledger_entries_are_not_changed is gone or off");
  expect(faults).toContain("take_over_v1 is another than this version makes");
  expect(faults).toContain("Autovacuum of holds is not as Gatehouse sets it");
  await books.rows("ALTER TABLE ledger_entries ENABLE TRIGGER ledger_entries_are_not_changed");
});

test("PostgreSQL that may forget what it has answered is named", async () => {
  const findings = await examinePostgres(books.url, { nowMs: Date.now() });
  const [settings] = findings.filter(({ title }) => title === "PostgreSQL keeps what it has answered");
  const rows = await books.rows("SELECT current_setting('fsync') AS fsync");
  expect(settings?.faults.some((fault) => fault.startsWith("fsync is off"))).toBe(rows[0]?.fsync === "off");
});
