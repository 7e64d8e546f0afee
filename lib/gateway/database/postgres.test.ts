import { expect, test } from "bun:test";
import { sql } from "kysely";
import { createPostgresQueries, openExactPool, openPostgresPool } from "./postgres";
import { openTemporaryPostgres } from "./testing/open-temporary-postgres";

test("outlives a connection that breaks between two statements of a transaction", async () => {
  const store = await openTemporaryPostgres();
  const cutter = openPostgresPool(store.url, 1);
  for (const pool of [openPostgresPool(store.url, 1), openExactPool(store.url)]) {
    const client = await pool.connect();
    await client.query("BEGIN");
    const broken = Promise.withResolvers<void>();
    client.on("end", () => broken.resolve());
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await cutter.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await broken.promise;
    await expect(client.query("SELECT 1").then(() => "answered")).rejects.toThrow();
    client.release(true);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  }
  await cutter.end();
  await store.remove();
}, 60_000);

test("a statement that PostgreSQL can't answer now is refused with a 503 that keeps its cause, others fail", async () => {
  const store = await openTemporaryPostgres();
  const queries = createPostgresQueries(openPostgresPool(store.url, 1));
  const ask = (statement: string) => sql.raw(statement).execute(queries);
  for (const state of ["53100", "57P03", "25006", "55P03", "08006"])
    await expect(
      ask(`DO $$ BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '${state}'; END $$`),
    ).rejects.toMatchObject({ status: 503, code: "store_unavailable", cause: { code: state } });
  await expect(ask("SELECT no_such_column")).rejects.toMatchObject({ code: "42703" });
  await queries.destroy();
  await store.remove();
  const nowhere = createPostgresQueries(openPostgresPool("postgres://gatehouse@127.0.0.1:1/postgres", 1));
  await expect(sql`SELECT 1`.execute(nowhere)).rejects.toMatchObject({ code: "store_unavailable" });
  await nowhere.destroy();
}, 60_000);

test("a statement that takes long is waited for, also in a transaction that has begun before", async () => {
  const store = await openTemporaryPostgres();
  const queries = createPostgresQueries(openPostgresPool(store.url, 1));
  const exact = openExactPool(store.url);
  const [{ rows }, { rowCount }] = await Promise.all([
    queries.transaction().execute(async (transaction) => {
      await sql`SELECT 1`.execute(transaction);
      return sql`SELECT 'slow' AS word FROM pg_sleep(3)`.execute(transaction);
    }),
    exact.query("SELECT FROM pg_sleep(3)"),
  ]);
  expect<unknown>([rows, rowCount]).toEqual([[{ word: "slow" }], 1]);
  await exact.end();
  await queries.destroy();
  await store.remove();
}, 60_000);
