import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { buildDatabasePath, lockDataFolder } from "../database/data-folder/open-store-file";
import { isOfEarlierVersion, refuseOtherVersion } from "../database/migrate";
import { MIGRATION_LOCK, migratePostgres } from "../database/migrate-postgres";
import { createPostgresQueries, exactIntegers, openPostgresPool } from "../database/postgres";
import { findKeptHead } from "../database/store-head";
import { checkBooks } from "../ledger/ticks/check-books.sql";
import { backUpPostgres } from "./back-up";
import { formatCount } from "./checks/check";
import { examine, examineCopy, type Finding } from "./examine-outputs";
import { copyPostgres } from "./postgres/copy-postgres.sql";
import { fillPostgres } from "./postgres/fill-postgres.sql";

/** A move was refused or failed; `message` is a sentence that says how to mend it. The target is as it was. */
export class MoveError extends Error {}

interface Move {
  readonly dataFolder: string;
  /** Of PostgreSQL. */
  readonly url: string;
  readonly nowMs: number;
  /** Is told what is being done. */
  onStep(step: string): void;
}

const CONNECT_MS = 5_000;
/** The folders of the data folder with uploads, results of batches and files of tasks. */
const FILE_FOLDERS = ["files", "outputs"];

/**
 * Copies a data folder that no gateway uses into an empty database of PostgreSQL: everything or nothing, with the same
 * ids. What was copied is examined before it counts. The data folder stays as it was.
 * @returns how many rows were copied.
 * @throws MoveError, StoreFault, DataFolderInUse
 */
export async function moveToPostgres({ dataFolder, url, nowMs, onStep }: Move): Promise<number> {
  const path = buildDatabasePath(dataFolder);
  const lock = lockDataFolder(dataFolder);
  const client = await connect(url);
  try {
    using sqlite = new Database(path, { readonly: true, strict: true, safeIntegers: true });
    refuseOtherVersion(sqlite);
    if (isOfEarlierVersion(sqlite))
      throw new MoveError(
        "An earlier version of Gatehouse wrote the data folder: start this one on it once.",
      );
    refuseFiles(dataFolder);
    onStep("Examining the data folder");
    refuseFaults("The data folder has faults, so nothing was moved", examine(path, nowMs));
    await makeTables(url);
    await client.query("BEGIN");
    // A gateway that starts meanwhile waits, and then finds everything.
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await refuseFilled(client);
    const onTable = (table: string) => onStep(`Copying ${table}`);
    const counts = await fillPostgres(client, sqlite, { nowMs, onTable });
    onStep("Examining the copy");
    await examineTarget(client, counts, nowMs);
    await client.query("COMMIT");
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  } finally {
    // Without a commit nothing was written.
    await client.end();
    lock.release();
  }
}

/**
 * Copies PostgreSQL, which no gateway uses, into a new data folder: everything or nothing, with the same ids.
 * PostgreSQL stays as it was.
 * @throws MoveError, StoreFault, BackupError
 */
export async function moveToFolder({ dataFolder, url, nowMs, onStep }: Move): Promise<void> {
  const path = buildDatabasePath(dataFolder);
  if (existsSync(path) || findKeptHead(dataFolder))
    throw new MoveError(`${dataFolder} is in use already: name a new folder.`);
  await refuseRunning(url);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  onStep("Copying PostgreSQL");
  await backUpPostgres(url, path);
  try {
    // A gateway that was started meanwhile has calls that the copy lacks.
    await refuseRunning(url);
    onStep("Examining the copy");
    refuseFaults("The copy has faults, so nothing was moved", examineCopy(path, nowMs));
  } catch (error) {
    rmSync(path);
    throw error;
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    types: exactIntegers,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "gatehouse move",
  });
  client.on("error", () => {});
  await client.connect().catch((error: unknown) => {
    throw new MoveError(`PostgreSQL can't be reached: ${String(error)}.`);
  });
  return client;
}

async function makeTables(url: string): Promise<void> {
  const queries = createPostgresQueries(openPostgresPool(url, 1));
  await migratePostgres(queries).finally(() => queries.destroy());
}

/** On PostgreSQL any gateway may be asked for a file, so all of them must be in a bucket. */
function refuseFiles(dataFolder: string): void {
  const count = FILE_FOLDERS.map((folder) => join(dataFolder, folder))
    .filter((folder) => existsSync(folder))
    .reduce((sum, folder) => sum + readdirSync(folder).length, 0);
  if (count === 0) return;
  throw new MoveError(
    `${formatCount(count, "upload or result", "uploads and results")} are in folders of ${dataFolder}, which other machines can't read: name a bucket under outputs in the configuration file, start the gateway until both folders, files and outputs, are empty, then move.`,
  );
}

async function refuseFilled(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM organizations UNION ALL SELECT FROM ledger_entries LIMIT 1",
  );
  if (rowCount !== 0) throw new MoveError("The database has an organization already: name an empty one.");
}

async function refuseRunning(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ seconds: string }>(
      `SELECT ceil((max(ends_at_ms) - extract(epoch FROM clock_timestamp()) * 1000) / 1000)::text AS seconds FROM leases
       HAVING max(ends_at_ms) > extract(epoch FROM clock_timestamp()) * 1000`,
    );
    const [lease] = rows;
    if (lease)
      throw new MoveError(
        `A gateway uses the database: stop all of them. One that was killed counts for ${lease.seconds} s more.`,
      );
  } finally {
    await client.end();
  }
}

/** Reads back what was written, in the same transaction, and examines it as doctor does. */
async function examineTarget(
  client: pg.Client,
  counts: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-move-"));
  try {
    const copy = join(folder, "copy.sqlite");
    await copyPostgres(client, copy);
    const books = await checkBooks(async (query) => (await client.query(query)).rows);
    const missing = await listMissing(client, counts);
    const own = { title: "all rows and their sums are there", checked: "", faults: [...missing, ...books] };
    refuseFaults("The copy has faults, so nothing was moved", [...examineCopy(copy, nowMs), own]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function listMissing(client: pg.Client, counts: ReadonlyMap<string, number>): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, count] of counts) {
    const { rows } = await client.query<{ count: bigint }>(`SELECT count(*) AS count FROM "${table}"`);
    if (rows[0]?.count !== BigInt(count)) faults.push(`${table} has ${rows[0]?.count} of ${count} rows`);
  }
  return faults;
}

/** @throws MoveError with each fault in a line of its own. */
function refuseFaults(what: string, findings: readonly Finding[]): void {
  const faults = findings.flatMap((finding) => finding.faults.map((fault) => `${finding.title}: ${fault}`));
  if (faults.length > 0) throw new MoveError([`${what}:`, ...faults].join("\n  "));
}
