import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChangeRequest, Changes } from "../changes/change";
import { Feed } from "../changes/feed";
import type { Mirror } from "../changes/mirror";
import type { Transaction } from "../changes/transaction";
import { oneAtATime } from "../ports/one-at-a-time";
import { simulatedEffects } from "../simulation/simulated-effects";
import { AuditTrail } from "./audit-trail";
import { createChangeLog } from "./change-log";
import { type Database, migrate, openReads, openSqlite, queryBuilderOf } from "./database";
import { claimStore } from "./store-guard";
import { createTransactions } from "./transactions";

/** What a test asks for, who may do anything. */
export const testRequest: ChangeRequest = {
  event: { type: "organization.updated", atMs: 1, requestId: null, ip: null, actor: null },
  authorize: () => {},
  refuseStale: async () => {},
};

/** For tests: the real store, migrated, in a folder of its own that goes when the test ends (`await using`). */
export async function openTemporaryDatabase() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-store-"));
  const path = join(folder, "gatehouse.sqlite");
  const turn = oneAtATime();
  let open = await openBoth(path);
  const write = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    turn(() => open.transactions.run(testRequest.event, work));
  return {
    path,
    get database() {
      return open.database;
    },
    /** Reads beside `database`, as it is committed. */
    get reads() {
      return open.reads;
    },
    /** Makes a change of its own. */
    write,
    /** How changes are made, with mirrors that follow them. */
    async changes(...mirrors: Mirror[]): Promise<Changes> {
      const feed = new Feed(createChangeLog(open.reads), mirrors);
      await feed.open();
      return { turn, transactions: open.transactions, feed, clock: simulatedEffects().clock };
    },
    /** Takes the database for a writer thread. */
    claim() {
      using sqlite = openSqlite(path);
      return claimStore(sqlite, path, "this process");
    },
    /** Closes the database and opens it again, as a restart does. */
    async reopen() {
      await close(open);
      open = await openBoth(path);
      return open.database;
    },
    async [Symbol.asyncDispose]() {
      await close(open);
      rmSync(folder, { recursive: true });
    },
  };
}

async function openBoth(path: string) {
  const sqlite = openSqlite(path);
  const database = queryBuilderOf(sqlite);
  await migrate(database);
  return {
    database,
    reads: openReads(path),
    transactions: createTransactions(database, new AuditTrail(sqlite)),
  };
}

async function close({ database, reads }: { database: Database; reads: Database }): Promise<void> {
  await database.destroy();
  await reads.destroy();
}
