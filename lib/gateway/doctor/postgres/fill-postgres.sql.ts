import type { Database } from "bun:sqlite";
import type pg from "pg";
import { computeMonthStartMs } from "@/lib/contract/calendar-month";
import { MAX_WINDOW_MS, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import { openReads } from "../../database/database";
import {
  DAY_SLOT_MS,
  DAY_SLOTS,
  MINUTE_SLOT_MS,
  MINUTE_SLOTS,
} from "../../ledger/ticks/window-functions.sql";
import { readPastCalls } from "../../rate-limits/read-past-calls.sql";
import { type CopiedTable, listTables } from "./copy-postgres.sql";

type Client = Pick<pg.Client, "query">;

/** Rows are sent together up to this many, or this many characters and bytes. */
const STEP = 1_000;
const STEP_BYTES = 4_000_000;
/** On PostgreSQL it is a view of the book. */
const ACCOUNTS = "accounts";

/**
 * Copies everything from an embedded database, which nobody writes to, into the empty tables of PostgreSQL, and makes
 * the books of it. The client is in a transaction. `onTable` is told of each table before its rows are copied.
 * @returns the rows of each table.
 */
export async function fillPostgres(
  client: Client,
  sqlite: Database,
  { nowMs, onTable }: { readonly nowMs: number; onTable(table: string): void },
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const copied = inOrder(sqlite, listTables(sqlite)).filter(({ name }) => name !== ACCOUNTS);
  for (const { name } of copied) {
    // They would record the rows as changes, or refuse them.
    await client.query(`ALTER TABLE "${name}" DISABLE TRIGGER USER`);
    await client.query(`DELETE FROM "${name}"`);
  }
  for (const table of copied) {
    onTable(table.name);
    counts.set(table.name, await fillTable(client, sqlite, table));
  }
  // References that are checked at the end are checked now: triggers can't be enabled before.
  await client.query("SET CONSTRAINTS ALL IMMEDIATE");
  for (const { name } of copied) await client.query(`ALTER TABLE "${name}" ENABLE TRIGGER USER`);
  // Whoever held something is gone: the first gateway takes it over.
  await client.query("UPDATE leases SET ends_at_ms = 0");
  await goOnNumbering(client);
  await fillBook(client, sqlite, nowMs);
  await fillWindows(client, sqlite.filename, nowMs);
  return counts;
}

/** Each table after those that it refers to. */
function inOrder(sqlite: Database, tables: readonly CopiedTable[]): CopiedTable[] {
  const ordered = new Set<CopiedTable>();
  const add = (table: CopiedTable) => {
    if (ordered.has(table)) return;
    const references = sqlite
      .query<{ table: string }, [string]>(`SELECT "table" FROM pragma_foreign_key_list(?)`)
      .all(table.name);
    for (const { table: name } of references) {
      const referred = tables.find((other) => other.name === name);
      if (referred && referred !== table) add(referred);
    }
    ordered.add(table);
  };
  tables.forEach(add);
  return [...ordered];
}

async function fillTable(client: Client, sqlite: Database, { name, columns }: CopiedTable): Promise<number> {
  const { rows: types } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1`,
    [name],
  );
  const list = columns.map((column) => `"${column}"`).join(", ");
  const arrays = columns.map((column, index) => {
    const type = types.find((known) => known.name === column)?.type;
    if (!type) throw new Error(`PostgreSQL has no column ${name}.${column}`);
    return `$${index + 1}::${type}[]`;
  });
  const text = `INSERT INTO "${name}" (${list}) SELECT * FROM unnest(${arrays.join(", ")})`;
  let values: unknown[][] = columns.map(() => []);
  let count = 0;
  let bytes = 0;
  const send = async () => {
    if (values[0]?.length)
      await client.query(text, values).catch((error: unknown) => {
        throw new Error(`${name} can't be copied: ${error instanceof Error ? error.message : String(error)}`);
      });
    values = columns.map(() => []);
    bytes = 0;
  };
  const rows = sqlite.prepare<Record<string, unknown>, []>(`SELECT ${list} FROM "${name}"`).iterate();
  for (const row of rows) {
    for (const [index, column] of columns.entries()) {
      const value = row[column];
      if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length;
      values[index]?.push(value instanceof Uint8Array ? Buffer.from(value) : value);
    }
    count++;
    if (count % STEP === 0 || bytes > STEP_BYTES) await send();
  }
  await send();
  return count;
}

/** Rows that are numbered by the database go on after the last one. */
async function goOnNumbering(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  for (const { table, column } of rows)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('"${table}"', '${column}'), coalesce(max("${column}"), 0) + 1, false) FROM "${table}"`,
    );
}

/** The accounts and the head of the chain in one row, and what each scope has spent in this month. */
async function fillBook(client: Client, sqlite: Database, nowMs: number): Promise<void> {
  const accounts = new Map(
    sqlite
      .query<{ name: string; balance: bigint; held: bigint }, []>("SELECT name, balance, held FROM accounts")
      .all()
      .map((account) => [account.name, account]),
  );
  const balanceOf = (name: string) => accounts.get(name)?.balance ?? 0n;
  const last = sqlite
    .query<{ seq: bigint | null; at: bigint | null }, []>(
      "SELECT max(seq) AS seq, max(created_at_ms) AS at FROM ledger_entries",
    )
    .get();
  const head = sqlite
    .query<{ hash: Uint8Array }, []>(
      "SELECT hash FROM ledger_entries WHERE hash IS NOT NULL ORDER BY seq DESC LIMIT 1",
    )
    .get();
  await client.query("DELETE FROM book");
  await client.query("INSERT INTO book VALUES (0, $1, $2, $3, $4, $5, $6, $7, $8)", [
    balanceOf("balance"),
    accounts.get("balance")?.held ?? 0n,
    balanceOf("payments"),
    balanceOf("charges"),
    balanceOf("provider_variance"),
    last?.at ?? 0n,
    last?.seq ?? 0n,
    head ? Buffer.from(head.hash) : Buffer.alloc(32),
  ]);
  const month = computeMonthStartMs(nowMs);
  await client.query(
    `WITH charged AS (
       SELECT project_id AS scope, sum(amount) AS spent, 0::numeric AS held FROM ledger_entries
         WHERE kind = 'charge' AND created_at_ms >= $1 GROUP BY project_id
       UNION ALL SELECT project_id, 0, sum(amount) FROM holds GROUP BY project_id),
     scopes AS (SELECT * FROM charged UNION ALL SELECT 'organization', spent, held FROM charged)
     INSERT INTO spend SELECT scope, 0, $1, sum(spent), sum(held) FROM scopes GROUP BY scope`,
    [month],
  );
}

/** What still counts in the six limits, in the slots of PostgreSQL. */
async function fillWindows(client: Client, path: string, nowMs: number): Promise<void> {
  const reads = openReads(path);
  const past = await readPastCalls(reads, nowMs, MAX_WINDOW_MS).finally(() => reads.destroy());
  const minute = Math.floor(nowMs / MINUTE_SLOT_MS);
  const day = Math.floor(nowMs / DAY_SLOT_MS);
  const uses = past.map(({ projectId, model, atMs, ...use }) => ({
    project_id: projectId,
    model,
    // A time ahead of the clock counts as now.
    minute: Math.min(minute, Math.floor(atMs / MINUTE_SLOT_MS)),
    day: Math.min(day, Math.floor(atMs / DAY_SLOT_MS)),
    used: rateLimitRows.map(({ counts }) => use[counts]),
  }));
  const given = `jsonb_to_recordset($1::jsonb) AS past(project_id text, model text, minute bigint, day bigint, used bigint[])`;
  const sums = (places: readonly number[], condition = "true") =>
    places.map((place) => `coalesce(sum(used[${place}]) FILTER (WHERE ${condition}), 0)`).join(", ");
  const json = JSON.stringify(uses);
  const [minutes, days] = [
    [1, 2, 3, 4],
    [5, 6],
  ];
  await client.query(
    `INSERT INTO minute_slots SELECT project_id, model, minute, ARRAY[${sums(minutes)}] FROM ${given}
     WHERE minute BETWEEN $2::bigint - ${MINUTE_SLOTS} AND $2::bigint - 1 GROUP BY project_id, model, minute`,
    [json, minute],
  );
  await client.query(
    `INSERT INTO day_slots SELECT project_id, model, day, ARRAY[${sums(days)}] FROM ${given}
     WHERE day BETWEEN $2::bigint - ${DAY_SLOTS} AND $2::bigint - 1 GROUP BY project_id, model, day`,
    [json, day],
  );
  const inMinute = `minute >= $2::bigint - ${MINUTE_SLOTS}`;
  const inDay = `day >= $3::bigint - ${DAY_SLOTS}`;
  await client.query(
    `INSERT INTO windows SELECT project_id, model, 0, $2::bigint, $3::bigint,
       ARRAY[${sums(minutes, inMinute)}, ${sums(days, inDay)}],
       ARRAY[${sums(minutes, "minute = $2::bigint")}, ${sums(days, "day = $3::bigint")}], 0
     FROM ${given} GROUP BY project_id, model`,
    [json, minute, day],
  );
}
