import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { parse, stringify } from "yaml";
import { createPostgresTransactions } from "@/lib/gateway/changes/transactions.sql";
import { openDataFolder } from "@/lib/gateway/database/data-folder/open-connections";
import { buildDatabasePath } from "@/lib/gateway/database/data-folder/open-store-file";
import type { Database } from "@/lib/gateway/database/database";
import { createPostgresQueries, openPostgresPool } from "@/lib/gateway/database/postgres";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { openTemporaryPostgres } from "@/lib/gateway/database/testing/open-temporary-postgres";
import { writeMigratedStore } from "@/lib/gateway/database/testing/write-migrated-store";
import { startS3Server } from "../servers/s3-server";

/** The addresses of the databases of gateways that have one, by their data folders. */
const urls = new Map<string, string>();
let bucket: ReturnType<typeof startS3Server> | undefined;

interface MovedClock {
  readonly clock: { nowMs(): number };
  pass(ms: number): void;
}

/**
 * A database for a gateway, if tests run on PostgreSQL, whose clock the test moves with the gateway's. Otherwise the
 * one in its folder is a copy of one that was migrated once: tests of the program make theirs.
 */
export async function openServedDatabase(
  dataFolder: string,
  runtime: MovedClock,
  { databaseUrl = null, isEmbedded = false }: { databaseUrl?: string | null; isEmbedded?: boolean },
) {
  if (databaseUrl !== null) return null;
  if (!isOnPostgres || isEmbedded) {
    await writeMigratedStore(buildDatabasePath(dataFolder));
    return null;
  }
  const { url, remove } = await openTemporaryPostgres();
  const stopClock = await moveClock(url, runtime);
  urls.set(dataFolder, url);
  return {
    url,
    async remove() {
      urls.delete(dataFolder);
      await remove();
      stopClock();
    },
  };
}

/** PostgreSQL reads the time from a file, which is written whenever the test lets time pass. */
async function moveClock(url: string, runtime: MovedClock): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-clock-"));
  // It runs as another user.
  chmodSync(folder, 0o755);
  const path = join(folder, "now");
  const file = openSync(path, "w");
  let nowMs = runtime.clock.nowMs();
  const write = () => writeSync(file, String(Math.floor(nowMs)), 0);
  write();
  const { pass } = runtime;
  runtime.pass = (ms) => {
    pass(ms);
    nowMs += ms;
    write();
  };
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
  await client.query(`CREATE SCHEMA test_clock;
    CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
      $$ SELECT to_timestamp(pg_read_file('${path}')::float8 / 1000) $$;
    ALTER DATABASE ${rows[0]?.name} SET search_path = public, test_clock, pg_catalog`);
  await client.end();
  return () => {
    closeSync(file);
    rmSync(folder, { recursive: true });
  };
}

/**
 * A configuration that stores files in a bucket, which a gateway on PostgreSQL needs. Gateways of tests make the same
 * ids, so each has its own prefix.
 */
export async function withBucket(config = "", prefix = "gate"): Promise<string> {
  const fields = (parse(config) ?? {}) as Record<string, unknown>;
  bucket ??= startS3Server();
  return fields.outputs ? config : stringify({ ...fields, outputs: (await bucket).outputs(prefix) });
}

/** The address of a served gateway's database; null if it is in its folder. */
export function findDatabaseUrl(dataFolder: string): string | null {
  return urls.get(dataFolder) ?? null;
}

/** A connection to a served gateway's database; null if that is in its folder. */
export function openPostgresQueries(dataFolder: string): Database | null {
  const url = findDatabaseUrl(dataFolder);
  return url === null ? null : createPostgresQueries(openPostgresPool(url, 1));
}

/** Opens what a gateway with this folder has stored, in the folder or on PostgreSQL. */
export async function openStoredData(dataFolder: string) {
  const [reads, writes] = [openPostgresQueries(dataFolder), openPostgresQueries(dataFolder)];
  if (!reads || !writes) return openDataFolder(dataFolder);
  const transactions = createPostgresTransactions(writes);
  return {
    reads,
    transactions,
    async close() {
      await reads.destroy();
      await transactions.close();
    },
  };
}
