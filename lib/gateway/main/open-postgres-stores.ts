import { createPostgresTransactions } from "../changes/transactions.sql";
import { migratePostgres } from "../database/migrate-postgres";
import { createPostgresQueries, openPostgresPool } from "../database/postgres";
import { StoreFault } from "../database/store-fault";
import type { Funds } from "../ledger/funds";
import { PostgresFunds } from "../ledger/ticks/postgres-funds";
import { createStores } from "./create-stores";
import { prepareFirstStart } from "./first-start";
import type { StoreOptions } from "./gateway-options";

/** The connections of units of work: one runs at a time in all processes, and the next one waits for it. */
const WRITERS = 2;

/**
 * Opens the stores on PostgreSQL, beside any number of other gateways: makes or migrates the tables, takes a lease, and
 * fills an empty database. If a step fails, what the earlier ones opened is closed.
 */
export async function openPostgresStores(url: string, options: StoreOptions) {
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
  // The machines' clocks may differ: what they share is judged by that of the database.
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
