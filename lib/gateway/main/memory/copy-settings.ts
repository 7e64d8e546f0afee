import type { TableCache } from "../../changes/table-cache";
import type { Clock } from "../../clock";
import type { Configuration } from "../../configuration/configuration";
import type { SpendAlertCache } from "../../ledger/spend-limits/spend-alerts";
import { followSpendLimits } from "../../ledger/spend-limits/spend-limits";
import type { SpendTracker } from "../../ledger/spend-limits/spend-tracker";
import { BodySettingsCache } from "../../log/bodies/body-settings.sql";
import { Catalogue } from "../../models/catalogue";
import { ProviderDirectory } from "../../models/providers/provider-directory";
import { readProviders } from "../../models/providers/read-providers";
import { readModels } from "../../models/read-models";
import { ScheduledPriceCache } from "../../models/scheduled-prices";
import { GroupCache } from "../../people/groups";
import { UserCache } from "../../people/members";
import { ModelPermissionCache, ProjectCache } from "../../projects/projects";
import { LimitPlanCache, RateLimitCache } from "../../rate-limits/rate-limits";
import { AccessGraph } from "../../roles/access-graph";
import type { EmbeddedStores } from "../create-stores";

export interface SettingsOptions {
  readonly configuration: Configuration;
  readonly defaultRateLimits: Parameters<typeof readModels>[0]["defaults"];
  readonly providerHosts: readonly string[];
}

type SettingsStores = Pick<
  EmbeddedStores,
  | "bodySettings"
  | "groups"
  | "limitPlans"
  | "modelPermissions"
  | "models"
  | "projects"
  | "providers"
  | "rateLimits"
  | "roles"
  | "scheduledPrices"
  | "users"
>;

/**
 * The copies in memory of what people set, empty until their followers load them. Calls read those that the feed brings
 * up to date; a plan of changes has its own, which see what it has not committed.
 */
export function copySettings(options: SettingsOptions, stores: SettingsStores) {
  const { configuration, defaultRateLimits: defaults, providerHosts } = options;
  const catalogue = new Catalogue();
  const limitPlanCache = new LimitPlanCache();
  const directory = new ProviderDirectory(providerHosts);
  const copies = {
    userCache: new UserCache(),
    groupCache: new GroupCache(),
    projectCache: new ProjectCache(),
    limitPlanCache,
    rateLimitCache: new RateLimitCache(limitPlanCache),
    bodySettingsCache: new BodySettingsCache(),
    scheduledPriceCache: new ScheduledPriceCache(),
    modelPermissionCache: new ModelPermissionCache(catalogue),
    graph: new AccessGraph(),
    catalogue,
    directory,
  };
  return {
    copies,
    /** Of those that decide who may do what. */
    accessFollowers: [
      copies.userCache.following(stores.users),
      copies.groupCache.following(stores.groups),
      copies.projectCache.following(stores.projects),
      copies.modelPermissionCache.following(stores.modelPermissions),
      copies.graph.following(stores),
      catalogue.following(() =>
        readModels({ models: stores.models, configured: configuration.models, defaults }),
      ),
    ],
    followers: [
      copies.rateLimitCache.following(stores.rateLimits),
      limitPlanCache.following(stores.limitPlans),
      copies.bodySettingsCache.following(stores.bodySettings),
      copies.scheduledPriceCache.following(stores.scheduledPrices),
      directory.following(() =>
        readProviders({ providers: stores.providers, configured: configuration.providers }, (baseUrl) =>
          directory.trusts(baseUrl),
        ),
      ),
    ],
  };
}

/** Keeps spend limits and alerts up to date. */
export function followSpending(
  spending: { readonly spendTracker: SpendTracker; readonly spendAlertCache: SpendAlertCache },
  { spendLimits, spendAlerts }: Pick<EmbeddedStores, "spendLimits" | "spendAlerts">,
  clock: Clock,
): TableCache[] {
  const { spendTracker, spendAlertCache } = spending;
  return [
    followSpendLimits(spendTracker, spendLimits, clock),
    spendAlertCache.following(spendAlerts, {
      spentBy: (scope, nowMs) => spendTracker.spentBy(scope, nowMs),
      nowMs: clock.nowMs,
    }),
  ];
}
