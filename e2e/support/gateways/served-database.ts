import pg from "pg";
import { parse, stringify } from "yaml";
import { createPostgresTransactions } from "@/lib/gateway/changes/transactions.sql";
import { openDataFolder } from "@/lib/gateway/database/data-folder/open-connections";
import { createPostgresQueries, openPostgresPool } from "@/lib/gateway/database/postgres";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { openTemporaryPostgres } from "@/lib/gateway/database/testing/open-temporary-postgres";
import { startS3Server } from "../servers/s3-server";

/** The addresses of the databases of gateways that have one, by their data folders. */
const urls = new Map<string, string>();
let bucket: ReturnType<typeof startS3Server> | undefined;

/** A database for a gateway, if tests run on PostgreSQL, whose time begins with that of the gateway's clock. */
export async function openServedDatabase(dataFolder: string, nowMs: number) {
  if (!isOnPostgres) return null;
  const { url, remove } = await openTemporaryPostgres();
  await setClock(url, nowMs);
  urls.set(dataFolder, url);
  return {
    url,
    async remove() {
      urls.delete(dataFolder);
      await remove();
    },
  };
}

/** Time stands still there, so that it goes on with the gateway's monotonic clock, which the test moves. */
async function setClock(url: string, nowMs: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
  await client.query(`CREATE SCHEMA test_clock;
    CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS
      $$ SELECT to_timestamp(${nowMs / 1000}) $$;
    ALTER DATABASE ${rows[0]?.name} SET search_path = test_clock, pg_catalog, public`);
  await client.end();
}

/** A configuration that stores files in a bucket, which a gateway on PostgreSQL needs. */
export async function withBucket(config = ""): Promise<string> {
  const fields = (parse(config) ?? {}) as Record<string, unknown>;
  bucket ??= startS3Server();
  return fields.outputs ? config : stringify({ ...fields, outputs: (await bucket).outputs() });
}

/** Opens what a gateway with this folder has stored, in the folder or on PostgreSQL. */
export async function openStoredData(dataFolder: string) {
  const url = urls.get(dataFolder);
  if (url === undefined) return openDataFolder(dataFolder);
  const reads = createPostgresQueries(openPostgresPool(url, 1));
  const transactions = createPostgresTransactions(createPostgresQueries(openPostgresPool(url, 1)));
  return {
    reads,
    transactions,
    async close() {
      await reads.destroy();
      await transactions.close();
    },
  };
}
