import { SessionMirror } from "../../access/session-mirror";
import { type Changes, type Lock, systemChange } from "../../changes/change";
import { Feed } from "../../changes/feed";
import type { Mirror } from "../../changes/mirror";
import type { Configuration } from "../../configuration/configuration";
import { KeyMirror } from "../../keys/key-mirror";
import { followSpendLimits } from "../../ledger/spend-limits/spend-limits";
import { BodySettingsMirror } from "../../log/bodies/body-settings.sql";
import { Catalogue } from "../../models/catalogue";
import { ProviderDirectory } from "../../models/providers/provider-directory";
import { readProviders } from "../../models/providers/read-providers";
import { readModels } from "../../models/read-models";
import { ScheduledPriceMirror } from "../../models/scheduled-prices";
import { GroupMirror } from "../../people/groups";
import { UserMirror } from "../../people/members";
import { ModelPermissionMirror } from "../../projects/model-permissions";
import { ProjectMirror } from "../../projects/projects";
import { RateLimitMirror } from "../../rate-limits/rate-limits";
import { AccessGraph } from "../../roles/access-graph";
import type { StoreOptions } from "../gateway-options";
import type { Stores } from "../open-stores";
import { openSpending } from "./open-spending";

interface MirrorOptions extends Pick<StoreOptions, "effects" | "logFault"> {
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
  readonly followClosings: (directory: ProviderDirectory) => Mirror;
}

/** The stores without the parts that belong to one process. */
type MirroredStores = Omit<Stores, "connection" | "funds" | "owner" | "firstStart" | "close">;

/** Loads what calls need into memory, and keeps it up to date with every committed change of any process. */
export async function openMirrors(options: MirrorOptions, stores: MirroredStores) {
  const { clock } = options.effects;
  const { endAccess } = options;
  const keyMirror = new KeyMirror(undefined, endAccess);
  const sessionMirror = new SessionMirror(undefined, endAccess);
  const userMirror = new UserMirror();
  const groupMirror = new GroupMirror();
  const projectMirror = new ProjectMirror();
  const modelPermissionMirror = new ModelPermissionMirror();
  const rateLimitMirror = new RateLimitMirror();
  const bodySettingsMirror = new BodySettingsMirror();
  const graph = new AccessGraph();
  const models = mirrorModels(options, stores);
  const { spendTracker, spendAlertMirror } = await openSpending(options, stores, () => changes);
  const accessMirrors = [
    keyMirror.following(stores.keys),
    userMirror.following(stores.users),
    groupMirror.following(stores.groups),
    projectMirror.following(stores.projects),
    modelPermissionMirror.following(stores.modelPermissions),
    graph.following(stores),
  ];
  const feed = new Feed(stores.changeLog, [
    sessionMirror.following(stores.sessions, clock.nowMs),
    ...accessMirrors,
    // After those that it asks.
    followAccess(accessMirrors, options.endLostAccess),
    rateLimitMirror.following(stores.rateLimits),
    bodySettingsMirror.following(stores.bodySettings),
    ...models.followers,
    followSpendLimits(spendTracker, stores.spendLimits, clock),
    spendAlertMirror.following(stores.spendAlerts, {
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
    keyMirror,
    sessionMirror,
    userMirror,
    groupMirror,
    projectMirror,
    modelPermissionMirror,
    rateLimitMirror,
    bodySettingsMirror,
    graph,
    ...models.mirrors,
    spendTracker,
    spendAlertMirror,
  };
}

/** Calls `endLostAccess` after each change that one of these follows. */
function followAccess(mirrors: readonly Mirror[], endLostAccess: () => void): Mirror {
  const end = async () => endLostAccess();
  const tables = mirrors.flatMap(({ reread }) => Object.keys(reread));
  return { load: end, reread: Object.fromEntries(tables.map((table) => [table, end])) };
}

function mirrorModels(
  { configuration, defaultRateLimits: defaults, providerHosts, followClosings }: MirrorOptions,
  { models, providers, scheduledPrices }: MirroredStores,
) {
  const catalogue = new Catalogue();
  const scheduledPriceMirror = new ScheduledPriceMirror();
  const directory = new ProviderDirectory(providerHosts);
  return {
    mirrors: { catalogue, scheduledPriceMirror, directory },
    followers: [
      catalogue.following(() => readModels({ models, configured: configuration.models, defaults })),
      scheduledPriceMirror.following(scheduledPrices),
      directory.following(() =>
        readProviders({ providers, configured: configuration.providers }, (baseUrl) =>
          directory.trusts(baseUrl),
        ),
      ),
      followClosings(directory),
    ],
  };
}
