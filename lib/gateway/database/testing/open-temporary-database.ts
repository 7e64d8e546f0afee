import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditContext } from "../../changes/audit/audit-event";
import { BY_SYSTEM, type ChangeRequest, type Changes, createLock, type Write } from "../../changes/change";
import { Feed } from "../../changes/feed";
import type { TableCache } from "../../changes/table-cache";
import {
  createChangeLog,
  createTransactions,
  type Transaction,
  type Transactions,
  within,
} from "../../changes/transactions.sql";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { createQueryBuilder, type Database, openReads } from "../database";
import { migrate } from "../migrate";
import { openSqlite } from "../open-sqlite";
import { claimStore } from "../store-guard";
import { openTemporaryPostgres } from "./open-temporary-postgres";
import { writeMigratedStore } from "./write-migrated-store";

/** A test's change request, which is always authorized. */
export const testRequest: ChangeRequest = {
  event: { ...BY_SYSTEM, type: "organization.updated", atMs: 1 },
  authorize: () => {},
  refuseStale: async () => {},
};

interface OpenDatabase {
  readonly reads: Database;
  readonly direct: Database;
  readonly transactions: Transactions;
  close(): Promise<void>;
}

/** Whether tests of stores run on PostgreSQL. Every one of them runs once on each engine. */
export const isOnPostgres = process.env.GATEHOUSE_TEST_ENGINE === "postgres";

/** Opens the real migrated store, which is deleted when the test ends (`await using`). */
export async function openTemporaryDatabase() {
  return isOnPostgres ? describeStore(await openTemporaryPostgres()) : openTemporarySqlite();
}

/** The same in a folder, for what only the embedded database has: its file and its writer. */
export async function openTemporarySqlite() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-store-"));
  const path = join(folder, "gatehouse.sqlite");
  await writeMigratedStore(path);
  const store = describeStore({
    open: () => openBoth(path),
    async upgrade() {
      using sqlite = openSqlite(path);
      await migrate(sqlite);
    },
    remove: () => rmSync(folder, { recursive: true }),
  });
  return Object.assign(store, {
    path,
    /** Claims the database for a writer thread. */
    claim() {
      using sqlite = openSqlite(path);
      return claimStore(sqlite, path, "this process");
    },
  });
}

interface TemporaryStore {
  open(): OpenDatabase;
  upgrade(): Promise<void>;
  remove(): void | Promise<void>;
}

function describeStore({ open, upgrade, remove }: TemporaryStore) {
  const lock = createLock();
  let openDatabase = open();
  return {
    /** A connection that reads committed data. */
    get reads() {
      return openDatabase.reads;
    },
    /** A connection for what no unit of work writes: the ledger and its sums. Its commits don't wait for the disk. */
    get direct() {
      return openDatabase.direct;
    },
    /** Runs work in a unit of work of its own. */
    run: ((work) => lock(() => openDatabase.transactions.run(testRequest.event, work))) as Write,
    /** Runs statements in a unit of work of its own, without the stores. */
    write<Result>(
      work: (queries: Database, transaction: Transaction) => Promise<Result>,
      event: Partial<AuditContext> = {},
    ) {
      const recordedEvent = { ...testRequest.event, ...event };
      return lock(() =>
        openDatabase.transactions.run(recordedEvent, (transaction) => work(within(transaction), transaction)),
      );
    },
    /** The collaborators of changes, with these caches. */
    async changes(...caches: TableCache[]): Promise<Changes> {
      const feed = new Feed(createChangeLog(openDatabase.reads), caches);
      await feed.open();
      return {
        lock,
        transactions: openDatabase.transactions,
        feed,
        clock: simulatedRuntime().clock,
        logFault: () => {},
      };
    },
    /** Closes the database and opens it again, like a restart. */
    async reopen() {
      await openDatabase.close();
      await upgrade();
      openDatabase = open();
    },
    async [Symbol.asyncDispose]() {
      await openDatabase.close();
      await remove();
    },
  };
}

function openBoth(path: string) {
  const transactions = createTransactions(openSqlite(path));
  const reads = openReads(path);
  const sqlite = openSqlite(path);
  sqlite.run("PRAGMA synchronous = OFF");
  const direct = createQueryBuilder(sqlite);
  return {
    reads,
    direct,
    transactions,
    async close() {
      await reads.destroy();
      await direct.destroy();
      await transactions.close();
    },
  };
}
