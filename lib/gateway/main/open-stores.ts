import { mkdirSync } from "node:fs";
import { lockDataFolder } from "../database/data-folder/lock-data-folder";
import { takeDataFolder } from "../database/data-folder/open-connections";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import { describeStoreFault, StoreFault } from "../database/store-fault";
import type { StoreClaim } from "../database/store-guard";
import { readStoreHead, writeStoreHead } from "../database/store-head";
import type { Funds } from "../ledger/funds";
import { openSqliteFunds } from "../ledger/funds.sql";
import { Refusal } from "../refusal";
import { createStores } from "./create-stores";
import { prepareFirstStart } from "./first-start";
import type { StoreOptions } from "./gateway-options";
import { openPostgresStores } from "./open-postgres-stores";

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Opens the stores in PostgreSQL if there is an address of it, otherwise in the data folder. */
export function openStores(options: StoreOptions) {
  const { databaseUrl } = options;
  return databaseUrl ? openPostgresStores(databaseUrl, options) : openEmbeddedStores(options);
}

/**
 * Claims the data folder, migrates its tables, fills them on the first start, and opens the funds. If a step fails,
 * what the earlier ones opened is closed.
 */
async function openEmbeddedStores(options: StoreOptions) {
  const { dataFolder, runtime } = options;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  await using opened = new AsyncDisposableStack();
  const lock = lockDataFolder(dataFolder);
  opened.defer(() => lock.release());
  const { sqlite, claim, reads, transactions } = await takeDataFolder(options);
  opened.defer(() => transactions.close());
  opened.defer(() => reads.destroy());
  const { funds, readFault } = await openFunds(claim, options);
  opened.defer(() => funds.close());
  const stores = createStores(reads, { key: options.secret, random: runtime.random });
  const firstStart = await prepareFirstStart({ ...stores, transactions }, funds, options).catch((error) => {
    const path = buildDatabasePath(dataFolder);
    throw describeStoreFault(error instanceof Refusal ? new Error(readFault()) : error, path);
  });
  // This write marks the folder as used.
  writeStoreHead(dataFolder, readStoreHead(sqlite));
  const organization = await stores.organizations.find();
  if (!organization) throw new Error("The first start has made no organization");
  const kept = opened.move();
  return {
    ...stores,
    reads,
    transactions,
    /** The connection that units of work write with. Retention also deletes on it, under the lock of changes. */
    connection: sqlite,
    runtime,
    /** The name of this process in leases and claims. */
    owner: claim.owner,
    /** No other process runs on these stores. */
    isAlone: true,
    ownsLease: () => true,
    funds,
    postgresFunds: null,
    organization,
    firstStart,
    close: () => kept.disposeAsync(),
  };
}

/** The folder is locked, so the owners of open holds are dead: their holds are resolved at once. @throws StoreFault */
async function openFunds(
  claim: StoreClaim,
  options: StoreOptions,
): Promise<{ funds: Funds; readFault: () => string }> {
  const { secret, runtime, dataFolder, logFault } = options;
  let fault = "";
  const onFailure = (reason: string) => {
    fault = reason;
    logFault("funds", reason);
  };
  const funds = await openSqliteFunds({ claim, secret, onFailure });
  await funds.takeOver("all but mine", runtime.clock.nowMs()).catch(async () => {
    await funds.close();
    throw new StoreFault(
      `The calls that the last run left open in ${buildDatabasePath(dataFolder)} can't be charged (${fault}): mend that, then start again.`,
    );
  });
  return { funds, readFault: () => fault };
}
