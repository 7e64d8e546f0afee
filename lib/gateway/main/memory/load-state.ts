import { computeMonthEndMs, computeMonthStartMs } from "@/lib/contract/calendar-month";
import { builtInRateLimits, MAX_WINDOW_MS } from "@/lib/contract/calls/rate-limit-table";
import { newId } from "@/lib/contract/ids";
import { AccessRefusals } from "../../access/access-refusals";
import { SessionCache } from "../../access/sessions";
import { RunningGrants } from "../../access-requests/access-grants";
import { PromptCounter } from "../../calls/holds/admit-and-hold";
import { HeldCalls } from "../../calls/holds/held-call";
import { ReplyReader } from "../../calls/replies/reply-reader";
import { RequestReader } from "../../calls/requests/request-reader";
import { BackgroundResponses } from "../../calls/responses/background-responses";
import { ResponseSockets } from "../../calls/responses/response-socket";
import { type Changes, createLock, type Lock, systemChange } from "../../changes/change";
import { Feed } from "../../changes/feed";
import type { TableCache } from "../../changes/table-cache";
import type { Configuration } from "../../configuration/configuration";
import { BodyReader } from "../../http/body-reader";
import { IdempotencyLocks } from "../../idempotency/idempotency";
import { AdminKeyUses } from "../../keys/admin-keys";
import { KeyCache } from "../../keys/key-cache";
import { SpendAlertCache, writeFiringMessage } from "../../ledger/spend-limits/spend-alerts";
import { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { UnaccountedCosts } from "../../ledger/unaccounted/unaccounted-costs";
import type { ProviderDirectory } from "../../models/providers/provider-directory";
import { followOrganization } from "../../projects/projects";
import { BackgroundAnswers } from "../../prompts/conversations/background-answers";
import { ProviderLinks } from "../../providers/provider-link";
import type { Admissions } from "../../rate-limits/admissions";
import { EmbeddedAdmissions } from "../../rate-limits/embedded-admissions";
import type { LimitWindows } from "../../rate-limits/limit-usage";
import { PostgresAdmissions } from "../../rate-limits/postgres-admissions";
import { PostgresWindows } from "../../rate-limits/postgres-windows.sql";
import type { GatewayOptions, StoreOptions } from "../gateway-options";
import type { Stores } from "../open-stores";
import { copySettings, followSpending, type SettingsOptions } from "./copy-settings";

export type State = Awaited<ReturnType<typeof loadState>>;

/** Loads what calls and changes need from the stores into memory. */
export async function loadState(options: GatewayOptions, stores: Stores, configuration: Configuration) {
  const { clock } = options.runtime;
  const defaultRateLimits = { ...builtInRateLimits, ...configuration.defaults };
  const heldCalls = new HeldCalls();
  const hasAlertTarget = options.alertTarget !== null;
  const endAccess = (id: string) => heldCalls.endAccess(id);
  const endLostAccess = () => heldCalls.endLost();
  const links = new ProviderLinks(clock);
  const followClosings: ProviderLinks["followingClosings"] = (directory) =>
    links.followingClosings(directory);
  const memory = {
    ...options,
    lock: createLock(),
    configuration,
    defaultRateLimits,
    hasAlertTarget,
    endAccess,
    endLostAccess,
    followClosings,
  };
  const caches = await openCaches(memory, stores);
  return {
    /** The file that the gateway was started with. */
    configuration,
    defaultRateLimits,
    links,
    admissions: await openAdmissions(options, stores, caches),
    ...caches,
    bodyReader: new BodyReader({ clock, maxSlowPerAddress: options.maxSlowRequestsPerAddress }),
    requestReader: new RequestReader((reason) => options.logFault("request reader", reason)),
    replyReader: new ReplyReader((reason) => options.logFault("reply reader", reason)),
    promptCounter: new PromptCounter((reason) => options.logFault("token counter", reason)),
    heldCalls,
    responseSockets: new ResponseSockets(clock),
    idempotencyLocks: new IdempotencyLocks(),
    adminKeyUses: new AdminKeyUses(stores.keys, caches),
    backgroundAnswers: new BackgroundAnswers(
      { ...stores, ...caches },
      { clock, logFault: (where, error) => options.logFault(where, error) },
    ),
    backgroundResponses: new BackgroundResponses(
      { ...stores, ...caches },
      {
        ...stores,
        clock,
        callbackHosts: options.callbackHosts,
        logFault: (where, error) => options.logFault(where, error),
      },
    ),
    unaccountedCosts: new UnaccountedCosts(stores.unaccountedCostStore, caches, clock),
    accessRefusals: new AccessRefusals(stores.accessRefusalStore, caches, options.runtime),
  };
}

/** Opens admissions, whose windows include the calls admitted before this start. */
async function openAdmissions(
  { runtime: { clock }, maxConcurrentRequests }: Pick<GatewayOptions, "runtime" | "maxConcurrentRequests">,
  {
    funds,
    postgresFunds,
    organization,
    past,
    reads,
  }: Pick<Stores, "funds" | "postgresFunds" | "organization" | "past" | "reads">,
  { spendTracker, feed }: { readonly spendTracker: SpendTracker; readonly feed: Feed },
): Promise<Admissions & { readonly windows: LimitWindows }> {
  const settings = { clock, currency: organization.currency, maxConcurrentRequests };
  if (postgresFunds) {
    postgresFunds.follow(
      () => feed.last,
      ({ scope, spent, held }) => spendTracker.follow(scope, { spent, held }, clock.nowMs()),
    );
    const windows = new PostgresWindows(reads, () => postgresFunds.nowMs());
    return new PostgresAdmissions(postgresFunds, windows, {
      ...settings,
      findSpendLimit: (scope) => spendTracker.find(scope, clock.nowMs())?.limit ?? null,
      noteRefusing: (scope) => spendTracker.noteRefusing(scope),
      readFeed: () => feed.last,
      catchUp: () => feed.catchUp(),
    });
  }
  const admissions = new EmbeddedAdmissions(funds, spendTracker, settings);
  admissions.windows.restore(await past.calls(clock.nowMs(), MAX_WINDOW_MS));
  return admissions;
}

interface CacheOptions extends SettingsOptions, Pick<StoreOptions, "runtime" | "logFault"> {
  /** Serializes writes across all processes of the store. */
  readonly lock: Lock;
  /** Whether a callback address for spend alerts is configured. */
  readonly hasAlertTarget: boolean;
  /** Called with the id of each revoked key and of each ended session. */
  readonly endAccess: (id: string) => void;
  /** Called when somebody's access may have become less. */
  readonly endLostAccess: () => void;
  /** Applies circuit breakers that an administrator closed. */
  readonly followClosings: (directory: ProviderDirectory) => TableCache;
}

/** The stores without the parts that belong to one process. */
type CachedStores = Omit<
  Stores,
  | "connection"
  | "runtime"
  | "funds"
  | "postgresFunds"
  | "owner"
  | "isAlone"
  | "ownsLease"
  | "firstStart"
  | "close"
>;

/** Loads what calls need into memory, and keeps it up to date with every committed change of any process. */
export async function openCaches(options: CacheOptions, stores: CachedStores) {
  const { clock } = options.runtime;
  const { endAccess } = options;
  const keyCache = new KeyCache(undefined, endAccess);
  const sessionCache = new SessionCache(undefined, endAccess);
  const runningGrants = new RunningGrants();
  const { copies, accessFollowers, followers } = copySettings(options, stores);
  const { spendTracker, spendAlertCache } = await openSpending(options, stores, () => changes);
  const accessCaches = [keyCache.following(stores.keys), ...accessFollowers];
  const feed = new Feed(stores.changeLog, [
    sessionCache.following(stores.sessions, clock.nowMs),
    ...accessCaches,
    // After those that it asks.
    followAccess(accessCaches, options.endLostAccess),
    ...followers,
    runningGrants.following(stores.accessRequests),
    followOrganization(stores.organization, stores.organizations),
    options.followClosings(copies.directory),
    ...followSpending({ spendTracker, spendAlertCache }, stores, clock),
  ]);
  const changes: Changes = {
    lock: options.lock,
    transactions: stores.transactions,
    feed,
    clock,
    logFault: options.logFault,
  };
  await feed.open();
  await systemChange({ changes }, "expired sessions", (transaction) =>
    stores.sessions.deleteExpired(transaction, clock.nowMs()),
  );
  return { changes, feed, keyCache, sessionCache, runningGrants, ...copies, spendTracker, spendAlertCache };
}

/** Calls `endLostAccess` after each change that one of these follows. */
function followAccess(caches: readonly TableCache[], endLostAccess: () => void): TableCache {
  const end = async () => endLostAccess();
  const tables = caches.flatMap(({ reread }) => Object.keys(reread));
  return { load: end, reread: Object.fromEntries(tables.map((table) => [table, end])) };
}

interface SpendingOptions extends Pick<StoreOptions, "runtime" | "logFault"> {
  /** Whether a callback address for spend alerts is configured. */
  readonly hasAlertTarget: boolean;
}

/** Counts the cost of the month so far, and passes every later charge to the spend alerts. */
async function openSpending(
  { runtime, logFault, hasAlertTarget }: SpendingOptions,
  { past, organization, spendAlerts }: Pick<Stores, "past" | "organization" | "spendAlerts">,
  changes: () => Changes,
): Promise<{ spendTracker: SpendTracker; spendAlertCache: SpendAlertCache }> {
  const nowMs = runtime.clock.nowMs();
  const spendAlertCache = new SpendAlertCache(async (newFiring, alert) => {
    const firing = { ...newFiring, id: newId("firing", newFiring.firedAtMs, runtime.random) };
    const message = hasAlertTarget
      ? JSON.stringify(writeFiringMessage(firing, alert, organization.currency))
      : null;
    try {
      await systemChange({ changes: changes() }, "spend alert firing", (transaction) =>
        spendAlerts.insertFiring(transaction, firing, message),
      );
    } catch (error) {
      logFault("spend alert", error);
      throw error;
    }
  });
  const readMonth = async (atMs: number) => {
    const startMs = computeMonthStartMs(atMs);
    return { startMs, spent: await past.spent(startMs, computeMonthEndMs(atMs)) };
  };
  const month = await readMonth(nowMs);
  const lastMs = (await past.lastEntryMs()) ?? nowMs;
  const hasOther = computeMonthStartMs(lastMs) !== month.startMs;
  const spendTracker = new SpendTracker({
    limits: [],
    spent: month.spent,
    // The month to return to if the clock is wrong at the start.
    leftMonths: hasOther ? [await readMonth(lastMs)] : [],
    held: await past.held(),
    nowMs,
    alerts: spendAlertCache,
  });
  return { spendTracker, spendAlertCache };
}
