import { existsSync } from "node:fs";
import { sql } from "kysely";
import { otherEvents } from "@/lib/contract/access/audit-events";
import { ownerRole } from "@/lib/contract/access/predefined-roles";
import { newId } from "@/lib/contract/ids";
import { createSessionStore } from "../access/session-store.sql";
import type { AuditContext } from "../changes/audit/audit-event";
import { BY_SYSTEM } from "../changes/change";
import { createPostgresTransactions } from "../changes/transactions.sql";
import type { ClockAndRandom } from "../clock";
import { type Connections, openDataFolder } from "../database/data-folder/open-connections";
import { buildDatabasePath } from "../database/data-folder/open-store-file";
import { findVersionFault } from "../database/migrate-postgres";
import { createPostgresQueries, openPostgresPool } from "../database/postgres";
import { StoreFault } from "../database/store-head";
import { newAdminKey } from "../keys/admin-keys";
import { createKeyStore } from "../keys/key-store.sql";
import type { Funds } from "../ledger/funds";
import { newProject } from "../projects/projects";
import { makeSignInToken } from "../sign-in/sign-in";
import type { EmbeddedStores } from "./create-stores";
import type { StoreOptions } from "./gateway-options";

/** Secrets that the first start prints once, and each later one until somebody has got in. */
export interface FirstStart {
  /** Null if the environment supplied the key, or if an earlier start has made it. */
  readonly adminKey: string | null;
  readonly signInToken: string;
}

type FirstStores = Pick<EmbeddedStores, "keys" | "sessions" | "projects" | "organizations"> &
  Pick<Connections, "transactions">;

const CURRENCY = "USD";
/** Without a logo, in the zone of whoever looks. */
const usualLook = { logo: null, time_zone: null, number_format: "comma" } as const;

/** Records the opening balance first, under an idempotency key, so that an interrupted start repeats neither step. */
export async function prepareFirstStart(
  stores: FirstStores,
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

/** Fills an empty database atomically: the organization, a first project, the first admin key and a sign-in token. */
function makeFirstStart(
  { keys, sessions, projects, organizations, transactions }: FirstStores,
  runtime: ClockAndRandom,
  event: AuditContext,
  givenAdminKey: string | null,
): Promise<FirstStart | null> {
  return transactions.run(event, async (transaction) => {
    // Another gateway may have begun on the same database at the same time.
    if (await organizations.find()) return null;
    const draft = { name: "First admin key", roleId: ownerRole.id, lifetimeSeconds: null };
    const { key, value } = newAdminKey(runtime, draft, givenAdminKey);
    await keys.insertAdminKey(transaction, key);
    const signInToken = await makeSignInToken({ sessions, runtime }, transaction, key.id);
    await projects.insert(transaction, newProject(runtime, { name: "Default project" }));
    const now = runtime.clock.nowMs();
    const organization = {
      id: newId("org", now, runtime.random),
      name: "Organization",
      currency: CURRENCY,
      ...usualLook,
    };
    await organizations.insert(transaction, organization, now);
    return { adminKey: givenAdminKey === null ? value : null, signInToken };
  });
}

/**
 * Makes a new sign-in token for the first key while nobody has ever got in, since the start that made the key may have
 * been ended before anybody saw it.
 * @returns null once somebody has got in.
 */
async function renewFirstStart(
  { keys, sessions, transactions }: Omit<FirstStores, "projects" | "organizations">,
  runtime: ClockAndRandom,
): Promise<FirstStart | null> {
  if (await sessions.hasAnyoneEntered()) return null;
  const [key] = await keys.adminKeysWith(ownerRole.id);
  if (!key) return null;
  const event = { ...BY_SYSTEM, type: otherEvents.systemChanged, atMs: runtime.clock.nowMs() };
  const signInToken = await transactions.run(event, (transaction) =>
    makeSignInToken({ sessions, runtime }, transaction, key.id),
  );
  return { adminKey: null, signInToken };
}

/**
 * Makes a one-time sign-in link for the oldest non-expiring Owner key, even while gateways run on the data.
 * The token follows `#`, so no server logs it.
 * @returns null if there is no such key.
 * @throws StoreFault
 */
export async function makeSignInLink(
  { dataFolder, databaseUrl }: { readonly dataFolder: string; readonly databaseUrl: string | null },
  consoleUrl: string,
  machine: ClockAndRandom,
): Promise<string | null> {
  if (databaseUrl === null && !existsSync(buildDatabasePath(dataFolder))) return null;
  const { reads, transactions, close } = await (databaseUrl === null
    ? openDataFolder(dataFolder)
    : openPostgresBeside(databaseUrl));
  try {
    // The token's expiry goes by the gateways' clock, which is PostgreSQL's.
    const nowMs = databaseUrl === null ? machine.clock.nowMs() : await readPostgresClock(reads);
    const runtime = { ...machine, clock: { ...machine.clock, nowMs: () => nowMs } };
    const { adminKeys } = await createKeyStore(reads).listActive();
    const [key] = adminKeys
      .filter(({ roleId, expiresAtMs }) => roleId === ownerRole.id && expiresAtMs === null)
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
    if (!key) return null;
    const event = { ...BY_SYSTEM, type: otherEvents.systemChanged, atMs: nowMs };
    const token = await transactions.run(event, (transaction) =>
      makeSignInToken({ sessions: createSessionStore(reads), runtime }, transaction, key.id),
    );
    return `${consoleUrl}/sign-in#token=${token}`;
  } finally {
    await close();
  }
}

async function openPostgresBeside(url: string): Promise<Connections & { close(): Promise<void> }> {
  const reads = createPostgresQueries(openPostgresPool(url));
  const ask = async <Row>(query: string) => (await sql.raw<Row>(query).execute(reads)).rows;
  const fault = await findVersionFault(ask).catch(
    (error: unknown) => `PostgreSQL (DATABASE_URL) can't be used: ${String(error)}.`,
  );
  if (fault === null)
    return { reads, transactions: createPostgresTransactions(reads), close: () => reads.destroy() };
  await reads.destroy();
  throw new StoreFault(fault);
}

async function readPostgresClock(reads: Connections["reads"]): Promise<number> {
  const now = sql<{ now: number }>`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS now`;
  return (await now.execute(reads)).rows[0]?.now ?? 0;
}
