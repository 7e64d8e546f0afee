import pg from "pg";
import { destroy } from "../../database/watched-client";

const CONNECT_MS = 2_000;
/** A connection that isn't ready by then is given up: it may be cut off already. */
const PREPARE_MS = 5_000;
const NAME = "gatehouse ticks";
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

/** Ends a former connection of this process, which holds its lock, and may be cut off from it for long. */
const END_FORMER = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND datname = current_database() AND application_name = '${NAME}'
    AND pid <> pg_backend_pid()
    AND classid::bigint << 32 | objid::bigint = hashtextextended($1, 0)`;

/**
 * Waits until a former connection can store nothing more: it held this process's lock.
 * @param prepare is done before the connection counts.
 */
export async function connect(
  { url, owner }: { readonly url: string; readonly owner: string },
  prepare: (client: pg.Client) => Promise<unknown> = async () => {},
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: NAME,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  client.on("error", () => {});
  const late = setTimeout(() => destroy(client), PREPARE_MS);
  try {
    await client.connect();
    await client.query(END_FORMER, [owner]);
    await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [owner]);
    await client.query(WAIT_FOR_DISK);
    await client.query(PLANS.map((setting) => `SET ${setting}`).join("; "));
    await prepare(client);
    return client;
  } catch (error) {
    destroy(client);
    throw error;
  } finally {
    clearTimeout(late);
  }
}
