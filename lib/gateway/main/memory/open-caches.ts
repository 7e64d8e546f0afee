import { SessionCache } from "../../access/sessions";
import { RunningGrants } from "../../access-requests/grants";
import { type Changes, type Lock, systemChange } from "../../changes/change";
import { Feed } from "../../changes/feed";
import type { TableCache } from "../../changes/table-cache";
import type { Configuration } from "../../configuration/configuration";
import { KeyCache } from "../../keys/key-cache";
import { followSpendLimits } from "../../ledger/spend-limits/spend-limits";
import { BodySettingsCache } from "../../log/bodies/body-settings.sql";
import { Catalogue } from "../../models/catalogue";
import { ProviderDirectory } from "../../models/providers/provider-directory";
import { readProviders } from "../../models/providers/read-providers";
import { readModels } from "../../models/read-models";
import { ScheduledPriceCache } from "../../models/scheduled-prices";
import { GroupCache } from "../../people/groups";
import { UserCache } from "../../people/members";
import { ModelPermissionCache } from "../../projects/model-permissions";
import { followOrganization } from "../../projects/organization";
import { ProjectCache } from "../../projects/projects";
import { RateLimitCache } from "../../rate-limits/rate-limits";
import { AccessGraph } from "../../roles/access-graph";
import type { StoreOptions } from "../gateway-options";
import type { Stores } from "../open-stores";
import { openSpending } from "./open-spending";

interface CacheOptions extends Pick<StoreOptions, "runtime" | "logFault"> {
  /** Serializes writes across all processes of the store. */
  readonly lock: Lock;
  readonly configuration: Configuration;
  readonly defaultRateLimits: Parameters<typeof readModels>[0]["defaults"];
  readonly providerHosts: readonly string[];
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
  const userCache = new UserCache();
  const groupCache = new GroupCache();
  const projectCache = new ProjectCache();
  const rateLimitCache = new RateLimitCache();
  const bodySettingsCache = new BodySettingsCache();
  const runningGrants = new RunningGrants();
  const graph = new AccessGraph();
  const models = cacheModels(options, stores);
  const modelPermissionCache = new ModelPermissionCache(models.caches.catalogue);
  const { spendTracker, spendAlertCache } = await openSpending(options, stores, () => changes);
  const accessCaches = [
    keyCache.following(stores.keys),
    userCache.following(stores.users),
    groupCache.following(stores.groups),
    projectCache.following(stores.projects),
    modelPermissionCache.following(stores.modelPermissions),
    graph.following(stores),
    models.catalogueFollower,
  ];
  const feed = new Feed(stores.changeLog, [
    sessionCache.following(stores.sessions, clock.nowMs),
    ...accessCaches,
    // After those that it asks.
    followAccess(accessCaches, options.endLostAccess),
    rateLimitCache.following(stores.rateLimits),
    bodySettingsCache.following(stores.bodySettings),
    runningGrants.following(stores.accessRequests),
    followOrganization(stores.organization, stores.organizations),
    ...models.followers,
    followSpendLimits(spendTracker, stores.spendLimits, clock),
    spendAlertCache.following(stores.spendAlerts, {
      spentBy: (scope, nowMs) => spendTracker.spentBy(scope, nowMs),
      nowMs: clock.nowMs,
    }),
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
  return {
    changes,
    feed,
    keyCache,
    sessionCache,
    userCache,
    groupCache,
    projectCache,
    modelPermissionCache,
    rateLimitCache,
    bodySettingsCache,
    runningGrants,
    graph,
    ...models.caches,
    spendTracker,
    spendAlertCache,
  };
}

/** Calls `endLostAccess` after each change that one of these follows. */
function followAccess(caches: readonly TableCache[], endLostAccess: () => void): TableCache {
  const end = async () => endLostAccess();
  const tables = caches.flatMap(({ reread }) => Object.keys(reread));
  return { load: end, reread: Object.fromEntries(tables.map((table) => [table, end])) };
}

function cacheModels(
  { configuration, defaultRateLimits: defaults, providerHosts, followClosings }: CacheOptions,
  { models, providers, scheduledPrices }: CachedStores,
) {
  const catalogue = new Catalogue();
  const scheduledPriceCache = new ScheduledPriceCache();
  const directory = new ProviderDirectory(providerHosts);
  const catalogueFollower = catalogue.following(() =>
    readModels({ models, configured: configuration.models, defaults }),
  );
  return {
    catalogueFollower,
    caches: { catalogue, scheduledPriceCache, directory },
    followers: [
      scheduledPriceCache.following(scheduledPrices),
      directory.following(() =>
        readProviders({ providers, configured: configuration.providers }, (baseUrl) =>
          directory.trusts(baseUrl),
        ),
      ),
      followClosings(directory),
    ],
  };
}
