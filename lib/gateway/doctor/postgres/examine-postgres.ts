import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { AuditHead } from "../../changes/audit/audit-chain.sql";
import { type AskPostgres, findUnfitPostgres } from "../../database/find-unfit-postgres.sql";
import { findVersionFault, listProceduresDue, listTriggersDue } from "../../database/migrate-postgres";
import { createPostgresQueries, exactIntegers } from "../../database/postgres";
import { StoreFault } from "../../database/store-head";
import { checkBooks } from "../../ledger/ticks/check-books.sql";
import { formatCount } from "../checks/check";
import { examineCopy, type Finding } from "../examine-outputs";
import { copyPostgres } from "./copy-postgres.sql";
import { findDangers } from "./danger-checks.sql";

const CONNECT_MS = 5_000;

interface ExamineOptions {
  readonly nowMs: number;
  /** A head of the audit log that was exported earlier. */
  readonly knownHead?: AuditHead | undefined;
  /** Compares files that are stored elsewhere with the copy at this path. */
  examineFiles?(copy: string): Promise<Finding[]>;
}

/**
 * Verifies what `examine` does of one snapshot of PostgreSQL, which is copied into a file for that, then what
 * only PostgreSQL has and what endangers it. Nothing is written to it, and gateways go on meanwhile.
 * @throws StoreFault if it can't be reached or used, or another version has written it.
 */
export async function examinePostgres(
  url: string,
  { nowMs, knownHead, examineFiles = async () => [] }: ExamineOptions,
): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-doctor-"));
  try {
    return await withSnapshot(url, async (client) => {
      const path = join(folder, "copy.sqlite");
      await copyPostgres(client, path);
      const ask = asker(client);
      return [
        ...examineCopy(path, nowMs, knownHead),
        await examineBooks(ask),
        await examineTriggers(ask, url, path),
        ...(await findDangers(ask)),
        ...(await examineFiles(path)),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs work in a transaction that sees one moment of the database. @throws StoreFault as above. */
export async function withSnapshot<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    types: exactIntegers,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "gatehouse doctor",
  });
  client.on("error", () => {});
  await client.connect().catch((error: unknown) => {
    throw new StoreFault(`PostgreSQL (DATABASE_URL) can't be reached: ${String(error)}.`);
  });
  try {
    const fault = (await findUnfitPostgres(asker(client))) ?? (await findVersionFault(asker(client)));
    if (fault !== null) throw new StoreFault(fault);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await work(client);
  } finally {
    await client.end();
  }
}

const asker =
  (client: pg.Client): AskPostgres =>
  async (query) =>
    (await client.query(query)).rows;

async function examineBooks(ask: AskPostgres): Promise<Finding> {
  const faults = await checkBooks(ask);
  return {
    title: "the book, spend and windows are what entries, holds and slots come to",
    checked: "balance, holds, spend and limits",
    faults: faults.map((fault) => `${fault}. Something wrote to the database by hand: restore a backup.`),
  };
}

/** Both engines have triggers of the same names. */
async function examineTriggers(ask: AskPostgres, url: string, copy: string): Promise<Finding> {
  using sqlite = new Database(copy, { readonly: true });
  const names = sqlite
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    .all();
  const rows = await ask<{ name: string }>(
    "SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')",
  );
  const present = new Set(rows.map(({ name }) => name));
  const gone = names.filter(({ name }) => !present.has(name));
  const queries = createPostgresQueries(new pg.Pool({ connectionString: url, max: 1 }));
  const due = [...(await listTriggersDue(queries)), ...(await listProceduresDue(queries))];
  await queries.destroy();
  return {
    title: "triggers guard the tables, and procedures are those of this version",
    checked: formatCount(names.length, "trigger"),
    faults: [
      ...gone.map(
        ({ name }) =>
          `The trigger ${name} is gone or off: rows can be altered, or changes escape the log. Restore a backup, or enable it.`,
      ),
      ...due
        .map((statement) => /(?:FUNCTION|PROCEDURE) (\w+)/.exec(statement)?.[1])
        .filter((name) => name !== undefined)
        .map((name) => `${name} is another than this version makes: start the gateway, which makes it anew.`),
    ],
  };
}
