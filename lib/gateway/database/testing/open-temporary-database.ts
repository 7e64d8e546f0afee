import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditContext } from "../../changes/audit/audit-event";
import { BY_SYSTEM, type ChangeRequest, type Changes, createLock, type Write } from "../../changes/change";
import { createChangeLog } from "../../changes/change-log.sql";
import { Feed } from "../../changes/feed";
import type { Mirror } from "../../changes/mirror";
import type { Transaction } from "../../changes/transaction";
import { createTransactions, within } from "../../changes/transactions.sql";
import { simulatedEffects } from "../../simulation/simulated-effects";
import { type Database, openReads } from "../database";
import { migrate } from "../migrate";
import { openSqlite } from "../open-sqlite";
import { claimStore } from "../store-guard";
import { writeMigratedStore } from "./write-migrated-store";

/** A test's change request, which is always authorized. */
export const testRequest: ChangeRequest = {
  event: { ...BY_SYSTEM, type: "organization.updated", atMs: 1 },
  authorize: () => {},
  refuseStale: async () => {},
};

/** Opens the real migrated store, in a folder that is deleted when the test ends (`await using`). */
export async function openTemporaryDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-store-"));
  const path = join(folder, "gatehouse.sqlite");
  const lock = createLock();
  await writeMigratedStore(path);
  let openDatabase = openBoth(path);
  return {
    path,
    /** A connection that reads committed data. */
    get reads() {
      return openDatabase.reads;
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
    /** The collaborators of changes, with these mirrors. */
    async changes(...mirrors: Mirror[]): Promise<Changes> {
      const feed = new Feed(createChangeLog(openDatabase.reads), mirrors);
      await feed.open();
      return {
        lock,
        transactions: openDatabase.transactions,
        feed,
        clock: simulatedEffects().clock,
        logFault: () => {},
      };
    },
    /** Claims the database for a writer thread. */
    claim() {
      using sqlite = openSqlite(path);
      return claimStore(sqlite, path, "this process");
    },
    /** Closes the database and opens it again, like a restart. */
    async reopen() {
      await openDatabase.close();
      {
        using sqlite = openSqlite(path);
        await migrate(sqlite);
      }
      openDatabase = openBoth(path);
    },
    async [Symbol.asyncDispose]() {
      await openDatabase.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function openBoth(path: string) {
  const transactions = createTransactions(openSqlite(path));
  const reads = openReads(path);
  return {
    reads,
    transactions,
    async close() {
      await reads.destroy();
      await transactions.close();
    },
  };
}
