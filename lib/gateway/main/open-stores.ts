import { mkdirSync } from "node:fs";
import { FIRST_CHANGE } from "@/lib/contract/audit-events";
import type { Nano } from "@/lib/money/amount";
import { audited } from "../audit/audit-context";
import type { Funds } from "../balance/funds";
import type { Effects } from "../ports/effects";
import { storeUnavailable } from "../ports/refusal";
import { AuditTrail } from "../store/audit-trail";
import { type Database, migrate, openReads, queryBuilderOf } from "../store/database";
import { openSqliteFunds } from "../store/open-sqlite-funds";
import { StoreFault, storeFaultOf } from "../store/store-fault";
import { claimStore, type StoreClaim, StoreGuard } from "../store/store-guard";
import { keepStoreHead, readStoreHead } from "../store/store-head";
import { createTransactions } from "../store/transactions";
import { createStores } from "./create-stores";
import { type FirstStart, makeFirstStart } from "./first-start";
import { lockDataFolder } from "./lock-data-folder";
import { databasePath, openStoreFile, refuseOlderStore } from "./open-store-file";

export interface StoreOptions {
  readonly dataFolder: string;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly adminKey: string | null;
  readonly openingBalance: Nano;
  readonly effects: Effects;
  readonly logFault: (where: string, error: unknown) => void;
}

export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Opens the database on its own, beside a gateway that may be running on it. @throws StoreFault */
export async function openDataFolder(dataFolder: string): Promise<Database> {
  const database = queryBuilderOf(openStoreFile(dataFolder));
  await migrate(database).catch((error) => {
    throw storeFaultOf(error, databasePath(dataFolder));
  });
  return database;
}

/**
 * Opens the database for this process alone: once another gateway has taken it, or its files are not those in the folder,
 * nothing is written any more. @throws StoreFault
 */
async function takeDataFolder({ dataFolder, effects, logFault }: StoreOptions) {
  const sqlite = openStoreFile(dataFolder);
  let guard: StoreGuard | null = null;
  const database = queryBuilderOf(sqlite, () => {
    try {
      guard?.check();
    } catch (error) {
      logFault("store", error);
      throw storeUnavailable();
    }
  });
  try {
    await migrate(database);
    refuseOlderStore(sqlite, dataFolder);
    const claim = claimStore(
      sqlite,
      databasePath(dataFolder),
      Buffer.from(effects.random(16)).toString("hex"),
    );
    guard = new StoreGuard(sqlite, claim);
    return { sqlite, database, claim };
  } catch (error) {
    sqlite.close();
    throw storeFaultOf(error, databasePath(dataFolder));
  }
}

/** Claims the data folder, brings its tables up to date, fills them at the first start, and opens the funds. */
export async function openStores(options: StoreOptions) {
  const { dataFolder, effects } = options;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const lock = lockDataFolder(dataFolder);
  const { sqlite, database, claim } = await takeDataFolder(options).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const funds = await openFunds(claim, options);
  const atMs = effects.clock.nowMs();
  const founding = { type: FIRST_CHANGE, atMs, requestId: null, ip: null, actor: null };
  const firstStart = await audited(founding, () => fillIfEmpty(database, funds, options));
  // From here on the folder counts as used.
  keepStoreHead(dataFolder, readStoreHead(sqlite));
  const organization = await database
    .selectFrom("organizations")
    .select(["id", "name", "currency"])
    .executeTakeFirstOrThrow();
  const reads = openReads(databasePath(dataFolder));
  return {
    ...createStores(database, reads, { key: options.secret, random: effects.random }),
    database,
    reads,
    transactions: createTransactions(database, new AuditTrail(sqlite)),
    /** The connection that `database` speaks over. */
    connection: sqlite,
    /** The name under which this process holds and claims. */
    owner: claim.owner,
    funds,
    organization,
    firstStart,
    async close() {
      await funds.close();
      await database.destroy();
      await reads.destroy();
      lock.release();
    },
  };
}

/** Nobody else has the folder, so whoever has left holds open is gone: they are resolved at once. @throws StoreFault */
async function openFunds(claim: StoreClaim, options: StoreOptions): Promise<Funds> {
  const { secret, effects, dataFolder, logFault } = options;
  let fault = "";
  const onFailure = (reason: string) => {
    fault = reason;
    logFault("funds", reason);
  };
  const funds = await openSqliteFunds({ claim, secret, onFailure });
  await funds.takeOver("all but mine", effects.clock.nowMs()).catch(async () => {
    await funds.close();
    throw new StoreFault(
      `The calls that the last run left open in ${databasePath(dataFolder)} can't be charged (${fault}): mend that, then start again.`,
    );
  });
  return funds;
}

/** The payment comes first and has a key of its own: a start that is cut short between the two repeats neither. */
async function fillIfEmpty(
  database: Database,
  funds: Funds,
  { effects, adminKey, openingBalance }: StoreOptions,
): Promise<FirstStart | null> {
  const isFilled = await database.selectFrom("organizations").select("id").executeTakeFirst();
  if (isFilled) return null;
  if (openingBalance > 0n) {
    const createdAtMs = effects.clock.nowMs();
    await funds.recordPayment(
      { id: "txn_opening_balance", amount: openingBalance, reference: "Opening balance", createdAtMs },
      { scope: "first start", key: "opening balance", bodyHash: "" },
    );
  }
  return makeFirstStart(database, effects, adminKey);
}
