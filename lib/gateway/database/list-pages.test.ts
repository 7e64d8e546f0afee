import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KyselyPlugin } from "kysely";
import { HOUR_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import { AuditTrail } from "../changes/audit/audit-trail.sql";
import type { LedgerFilter } from "../ledger/reads/ledger-conditions.sql";
import { createLedgerReader } from "../ledger/reads/ledger-reader.sql";
import { openReads } from "./database";
import { openSqlite } from "./open-sqlite";
import { writeMigratedStore } from "./testing/write-migrated-store";

const ENTRIES = 3_000;
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-ledger-"));
  path = join(folder, "gatehouse.sqlite");
  await writeMigratedStore(path);
  const sqlite = openSqlite(path);
  sqlite.run(`INSERT INTO ledger_entries
      (id, kind, amount, created_at_ms, basis, request_id, project_id, key_id, model, held, hash)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ENTRIES})
    SELECT 'txn_' || i, 'charge', i, (i - (i = 1500)) * ${HOUR_MS}, 'reported', 'req_' || i,
      iif(i % 1000 = 7, 'proj_rare', 'proj_often'), 'key_' || i, 'model', i, randomblob(32) FROM n`);
  sqlite.transaction(() => {
    sqlite.run("INSERT INTO projects (id, name, created_at_ms) VALUES ('proj_rare', 'Rarely used', 1)");
    new AuditTrail(sqlite).log(null);
  })();
  sqlite.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads a page, and records how many rows each statement returned. */
async function read(filter: LedgerFilter, page: { limit: number; after?: string; before?: string }) {
  const brought: number[] = [];
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      brought.push(result.rows.length);
      return result;
    },
  };
  const reads = openReads(path);
  const entries = await createLedgerReader(reads.withPlugin(count)).pages(filter).read(page);
  await reads.destroy();
  return { ids: entries.map(({ id }) => Number(id.slice(4))), brought };
}

const countdown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

test.each<[string, { limit: number; after?: string; before?: string }, number[]]>([
  ["the newest", { limit: 1_000 }, countdown(3_000, 2_001)],
  ["those behind one", { limit: 600, after: "txn_1500" }, countdown(1_499, 900)],
  ["the last", { limit: 1_000, after: "txn_301" }, countdown(300, 1)],
  ["those before one", { limit: 600, before: "txn_1500" }, countdown(2_100, 1_501)],
])("a long page is whole, in order and read in parts: %s", async (_, page, expected) => {
  for (const filter of [{}, { model: "model" }]) {
    const { ids, brought } = await read(filter, page);
    expect(ids).toEqual(expected);
    expect(Math.max(...brought)).toBeLessThanOrEqual(250);
  }
});

test("entries that a filter names rarely are found by statements that look at 500 rows each", async () => {
  const { ids, brought } = await read({ projectId: "proj_rare" }, { limit: 20 });
  expect(ids).toEqual([2_007, 1_007, 7]);
  expect(brought.length).toBeGreaterThanOrEqual(ENTRIES / 500);
});

test.each<[string, LedgerFilter, number[]]>([
  ["a time", { startMs: HOUR_MS * 7, endMs: HOUR_MS * 10 }, [9, 8, 7]],
  ["a time that has not come", { startMs: HOUR_MS * 4_000 }, []],
  ["a time before there was an entry", { endMs: HOUR_MS }, []],
  ["a key", { keyId: "key_12" }, [12]],
  ["a part of a model's name, in any case", { text: "ODEL", startMs: HOUR_MS * 2_999 }, [3_000, 2_999]],
  ["a part of a request's id", { text: "req_2999" }, [2_999]],
  ["the name of a project", { text: "rarely" }, [2_007, 1_007, 7]],
  ["characters that stand for others elsewhere", { text: "%" }, []],
  ["an amount and a project", { projectId: "proj_rare", minAmount: toNano(2_000n) }, [2_007]],
  ["two amounts", { minAmount: toNano(5n), maxAmount: toNano(6n) }, [6, 5]],
  ["a reference that no charge has", { reference: "Invoice" }, []],
])("filters combine: %s", async (_, filter, expected) => {
  expect((await read(filter, { limit: 20 })).ids).toEqual(expected);
});

test("an entry out of its time, as a clock that is set makes it, is found by its time", async () => {
  const late = { startMs: HOUR_MS * 1_499, endMs: HOUR_MS * 1_500 };
  expect((await read(late, { limit: 20 })).ids).toEqual([1_500, 1_499]);
});

test("each filter reads only the rows of its range", () => {
  const sqlite = openSqlite(path);
  for (const filter of ["kind = 'payment'", "kind = 'charge'", "project_id = 'p'", "model = 'm'"]) {
    const sql = `SELECT * FROM ledger_entries WHERE ${filter} AND seq > 5 AND seq < 505 ORDER BY seq DESC`;
    const plan = sqlite.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    expect(plan.map(({ detail }) => detail).join()).toMatch(
      /^SEARCH ledger_entries USING .*\((rowid|seq)>\? AND \1<\?\)$/,
    );
  }
  sqlite.close();
});
