import pg from "pg";

const CONNECT_MS = 2_000;
/**
 * One plan each, made once. A statement finds its rows by a whole key, so a plan that was made while a table was empty
 * is right when it is full.
 */
const PLANS = [
  "plan_cache_mode = force_generic_plan",
  "enable_seqscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "enable_bitmapscan = off",
  "jit = off",
  "lock_timeout = '1s'",
];

/** Whatever the server's settings say, nobody is told of a charge before it is on disk. */
const WAIT_FOR_DISK = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off'`;

/** Waits until a former connection can store nothing more: it held this process's lock. */
export async function connect(
  { url, owner }: { readonly url: string; readonly owner: string },
  former: number | null,
): Promise<{ readonly client: pg.Client; readonly backend: number | null }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "gatehouse ticks",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    if (former !== null)
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = 'gatehouse ticks'",
        [former],
      );
    await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [owner]);
    await client.query(WAIT_FOR_DISK);
    await client.query(PLANS.map((setting) => `SET ${setting}`).join("; "));
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return { client, backend: rows[0]?.pid ?? null };
  } catch (error) {
    destroy(client);
    throw error;
  }
}

/** Closes a connection that may not answer. */
export function destroy(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
  stream.destroy();
}
