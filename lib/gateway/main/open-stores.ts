import { mkdirSync } from "node:fs";
import { HOUR_MS } from "@/lib/contract/durations";
import { type ChangeContext, systemChange } from "../changes/change";
import { createPostgresTransactions } from "../changes/transactions.sql";
import { takeDataFolder } from "../database/data-folder/open-connections";
import { buildDatabasePath, lockDataFolder } from "../database/data-folder/open-store-file";
import { migratePostgres } from "../database/migrate-postgres";
import { createPostgresQueries, openPostgresPool } from "../database/postgres";
import type { StoreClaim } from "../database/store-guard";
import { describeStoreFault, readStoreHead, StoreFault, writeStoreHead } from "../database/store-head";
import type { Funds } from "../ledger/funds";
import { openSqliteFunds } from "../ledger/funds.sql";
import { PostgresFunds } from "../ledger/ticks/postgres-funds";
import { Refusal } from "../refusal";
import { ATTEMPTS_KEPT_MS, Attempts, DEVICES_KEPT_MS } from "../sign-in/attempts";
import { createSmtpMailer } from "../sign-in/mailer";
import { OpenIdProvider } from "../sign-in/openid-provider";
import { createStores } from "./create-stores";
import { prepareFirstStart } from "./first-start";
import type { StoreOptions } from "./gateway-options";
import type { SignInSettings } from "./settings/sign-in-settings";

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

/** Opens the parts of sign-in other than the stores. */
export function openSignIn(
  { signIn, runtime, logFault }: StoreOptions & { signIn: SignInSettings },
  stores: Stores,
  context: ChangeContext,
) {
  const { consoleUrl, openIdProvider: settings, mail } = signIn;
  return {
    consoleUrl,
    openIdProvider: settings && new OpenIdProvider(settings, `${consoleUrl}/sign-in/answer`, runtime.clock),
    mailer: createSmtpMailer(mail, logFault),
    attempts: new Attempts(stores.signInAttempts, { ...context, runtime }),
  };
}

/** Much longer than a code is valid, which is a minute and a half. */
const USED_CODES_KEPT_MS = HOUR_MS;

/** Deletes expired attempts, devices and used codes. */
export function forgetOldSignIns(
  { signInAttempts, devices, usedCodes }: Stores,
  context: ChangeContext,
  nowMs: number,
): Promise<void> {
  return systemChange(context, "sign-in bookkeeping", async (transaction) => {
    await signInAttempts.prune(transaction, nowMs - ATTEMPTS_KEPT_MS);
    await devices.prune(transaction, nowMs - DEVICES_KEPT_MS);
    await usedCodes.prune(transaction, nowMs - USED_CODES_KEPT_MS);
  });
}

/** The connections of units of work: one runs at a time in all processes, and the next one waits for it. */
const WRITERS = 2;

/**
 * Opens the stores on PostgreSQL, beside any number of other gateways: makes or migrates the tables, takes a lease, and
 * fills an empty database. If a step fails, what the earlier ones opened is closed.
 */
async function openPostgresStores(url: string, options: StoreOptions) {
  const { runtime, secret: key, logFault } = options;
  await using opened = new AsyncDisposableStack();
  const reads = createPostgresQueries(openPostgresPool(url));
  opened.defer(() => reads.destroy());
  const transactions = createPostgresTransactions(createPostgresQueries(openPostgresPool(url, WRITERS)));
  opened.defer(() => transactions.close());
  await migratePostgres(reads).catch((error) => {
    if (error instanceof StoreFault) throw error;
    throw new StoreFault(
      `PostgreSQL (DATABASE_URL) can't be used: ${String(error)}. Mend that, then start again.`,
    );
  });
  const sealing = { key, random: runtime.random };
  const owner = Buffer.from(runtime.random(16)).toString("hex");
  const onFailure = (reason: string) => logFault("funds", reason);
  const funds = await PostgresFunds.open({
    url,
    owner,
    clock: runtime.clock,
    sealing,
    database: reads,
    onFailure,
  });
  opened.defer(() => funds.close());
  await funds.takeOver();
  const stores = createStores(reads, sealing);
  // The machines' clocks may differ, so shared data goes by the database's clock.
  const shared = { ...runtime, clock: { ...runtime.clock, nowMs: () => funds.nowMs() } };
  const firstStart = await prepareFirstStart({ ...stores, transactions }, funds, {
    ...options,
    runtime: shared,
  });
  const organization = await stores.organizations.find();
  if (!organization) throw new Error("The first start has made no organization");
  const kept = opened.move();
  return {
    ...stores,
    reads,
    transactions,
    connection: null,
    /** Its clock is that of the database. */
    runtime: shared,
    owner,
    isAlone: false,
    /** Whether no other process can have taken over what this one has claimed. */
    ownsLease: () => funds.ownsLease(),
    funds: funds satisfies Funds as Funds,
    /** The same, as admissions use them. */
    postgresFunds: funds,
    organization,
    firstStart,
    close: () => kept.disposeAsync(),
  };
}
