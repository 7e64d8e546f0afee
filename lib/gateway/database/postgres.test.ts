import { expect, test } from "bun:test";
import { openExactPool, openPostgresPool } from "./postgres";
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
