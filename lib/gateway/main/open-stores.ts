import { mkdirSync } from "node:fs";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { BY_SYSTEM } from "../changes/change";
import { lockDataFolder } from "../database/data-folder/lock-data-folder";
import { type Connections, takeDataFolder } from "../database/data-folder/open-connections";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import { describeStoreFault, StoreFault } from "../database/store-fault";
import type { StoreClaim } from "../database/store-guard";
import { readStoreHead, writeStoreHead } from "../database/store-head";
import type { Funds } from "../ledger/funds";
import { openSqliteFunds } from "../ledger/funds.sql";
import { Refusal } from "../refusal";
import { createStores, type EmbeddedStores } from "./create-stores";
import { type FirstStart, makeFirstStart, renewFirstStart } from "./first-start";
import type { StoreOptions } from "./gateway-options";

export type Stores = Awaited<ReturnType<typeof openStores>>;

/**
 * Claims the data folder, migrates its tables, fills them on the first start, and opens the funds. If a step fails,
 * what the earlier ones opened is closed.
 */
export async function openStores(options: StoreOptions) {
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
    /** The name of this process in leases and claims. */
    owner: claim.owner,
    funds,
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

/** Records the opening balance first, under an idempotency key, so that an interrupted start repeats neither step. */
async function prepareFirstStart(
  stores: EmbeddedStores & Pick<Connections, "transactions">,
  funds: Funds,
  { runtime, adminKey, openingBalance }: StoreOptions,
): Promise<FirstStart | null> {
  // Whoever chose the key has it.
  if (await stores.organizations.find()) return adminKey === null ? renewFirstStart(stores, runtime) : null;
  const createdAtMs = runtime.clock.nowMs();
  const event = { ...BY_SYSTEM, type: otherEvents.organizationCreated, atMs: createdAtMs };
  if (openingBalance > 0n) {
    await funds.recordPayment(
      { id: "txn_opening_balance", amount: openingBalance, reference: "Opening balance", createdAtMs },
      { scope: "first start", key: "opening balance", bodyHash: "" },
      event,
    );
  }
  return makeFirstStart(stores, runtime, event, adminKey);
}
