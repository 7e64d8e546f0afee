import { createTransactions, type Transactions } from "../../changes/transactions.sql";
import type { ClockAndRandom } from "../../clock";
import { storeUnavailable } from "../../refusal";
import { type Database, openReads } from "../database";
import { migrate } from "../migrate";
import { claimStore, StoreGuard } from "../store-guard";
import { describeStoreFault } from "../store-head";
import { buildDatabasePath, openStoreFile, refuseOlderStore } from "./open-store-file";

/** The connections to the database: one for reads, and one for units of work. */
export interface Connections {
  readonly reads: Database;
  readonly transactions: Transactions;
}

/** Opens the database beside a gateway that may be running on it. @throws StoreFault */
export async function openDataFolder(dataFolder: string): Promise<Connections & { close(): Promise<void> }> {
  const sqlite = openStoreFile(dataFolder);
  const path = buildDatabasePath(dataFolder);
  await migrate(sqlite).catch((error) => {
    throw describeStoreFault(error, path);
  });
  const reads = openReads(path);
  const transactions = createTransactions(sqlite);
  return {
    reads,
    transactions,
    async close() {
      await reads.destroy();
      await transactions.close();
    },
  };
}

/**
 * Opens the database for this process. Once another gateway has claimed it, or its files were replaced, every write
 * fails.
 * @throws StoreFault
 */
export async function takeDataFolder({
  dataFolder,
  runtime,
  logFault,
}: {
  readonly dataFolder: string;
  readonly runtime: ClockAndRandom;
  readonly logFault: (where: string, error: unknown) => void;
}) {
  const sqlite = openStoreFile(dataFolder);
  const path = buildDatabasePath(dataFolder);
  try {
    await migrate(sqlite);
    refuseOlderStore(sqlite, dataFolder);
    const claim = claimStore(sqlite, path, Buffer.from(runtime.random(16)).toString("hex"));
    const guard = new StoreGuard(sqlite, claim);
    const transactions = createTransactions(sqlite, () => {
      try {
        guard.check();
      } catch (error) {
        logFault("store", error);
        throw storeUnavailable();
      }
    });
    return { sqlite, claim, transactions, reads: openReads(path) };
  } catch (error) {
    sqlite.close(true);
    throw describeStoreFault(error, path);
  }
}
