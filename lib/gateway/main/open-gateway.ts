import { readFileSync } from "node:fs";
import type { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { speakPlainly } from "@/lib/contract/describe-issue";
import { builtInRateLimits, LONGEST_WINDOW_MS } from "@/lib/contract/rate-limit-table";
import { Admissions } from "../admission/admission";
import { BalanceMirror } from "../balance/balance-mirror";
import type { CallbackTarget } from "../callbacks/callback-target";
import { CallsUnderWay } from "../completions/calls-under-way";
import { OpenCalls } from "../completions/open-calls";
import { ProviderLinks } from "../completions/provider-links";
import { RequestReader } from "../completions/request-reader";
import { type Configuration, emptyConfiguration } from "../configuration/configuration";
import { readConfiguration } from "../configuration/read-configuration";
import { createGateway } from "../gateway";
import { BodyReader } from "../http/body-reader";
import { AdminKeyUses } from "../keys/admin-key-uses";
import { Keyring } from "../keys/keyring";
import { GroupBook } from "../members/group-book";
import { UserBook } from "../members/user-book";
import { loadCatalogue } from "../models/load-catalogue";
import { loadProviderDirectory } from "../models/load-provider-directory";
import { SANDBOX } from "../models/provider-directory";
import { usualProviderLimits } from "../models/provider-limits";
import { sandboxModels } from "../models/sandbox-models";
import { ModelPermissionBook } from "../projects/model-permission-book";
import { followedBy, ProjectBook } from "../projects/project-book";
import { createSandboxClient } from "../providers/sandbox/sandbox-client";
import { AccessGraph } from "../roles/access-graph";
import { adminApiKeyRoutes } from "../routes/admin-api-keys";
import { auditLogRoutes } from "../routes/audit-logs";
import { balanceRoutes } from "../routes/balance";
import { completionRoutes } from "../routes/completions";
import { costRoutes } from "../routes/costs";
import { groupUserRoutes } from "../routes/group-users";
import { groupRoutes } from "../routes/groups";
import { inviteRoutes } from "../routes/invites";
import { modelPermissionRoutes } from "../routes/model-permissions";
import { modelRoutes } from "../routes/models";
import { passwordRoutes } from "../routes/passwords";
import { permissionRoutes } from "../routes/permissions";
import { projectApiKeyRoutes } from "../routes/project-api-keys";
import { projectGroupRoutes } from "../routes/project-groups";
import { projectRoleRoutes } from "../routes/project-roles";
import { projectUserRoutes } from "../routes/project-users";
import { projectRoutes } from "../routes/projects";
import { providerRoutes } from "../routes/providers";
import { rateLimitRoutes } from "../routes/rate-limits";
import { requestRoutes } from "../routes/requests";
import { roleAssignmentRoutes } from "../routes/role-assignments";
import { roleHolderRoutes } from "../routes/role-holders";
import { roleRoutes } from "../routes/roles";
import { serviceAccountRoutes } from "../routes/service-accounts";
import { sessionRoutes } from "../routes/sessions";
import { signInRoutes } from "../routes/sign-in";
import { singleSignOnRoutes } from "../routes/single-sign-on";
import { spendAlertFiringRoutes } from "../routes/spend-alert-firings";
import { spendAlertRoutes } from "../routes/spend-alerts";
import { spendLimitRoutes } from "../routes/spend-limits";
import { twoFactorRoutes } from "../routes/two-factor";
import { usageRoutes } from "../routes/usage";
import { userRoutes } from "../routes/users";
import { SessionBook } from "../sessions/session-book";
import { readPastCalls } from "../store/read-past-calls";
import { clientAddressOf } from "./client-address-of";
import type { FirstStart } from "./first-start";
import { openAlertCallbacks } from "./open-alert-callbacks";
import { openMirrors } from "./open-mirrors";
import { openRetention } from "./open-retention";
import { openSignIn } from "./open-sign-in";
import { openSpending } from "./open-spending";
import { openStores, type StoreOptions, type Stores } from "./open-stores";
import { repeatChores } from "./repeat-chores";
import type { SignInSettings } from "./sign-in-settings";

export interface GatewayOptions extends StoreOptions {
  readonly configFile: string | null;
  readonly maxConcurrentRequests: number;
  /** How many requests of one network address may be awaited for longer than a second each. */
  readonly maxSlowRequestsPerAddress: number;
  /** Hosts that providers may have at private addresses, whoever adds them. */
  readonly providerHosts: readonly string[];
  /** Who is told when a spend alert fires. */
  readonly alertTarget: CallbackTarget | null;
  readonly signIn: SignInSettings;
  /** Whose word on who asks is taken. */
  readonly trustedProxies: TrustedProxies;
  /** What `${NAME}` in the configuration file stands for. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface OpenGateway {
  readonly fetch: ReturnType<typeof createGateway>;
  /** What to show once; null unless the database was empty. */
  readonly firstStart: FirstStart | null;
  close(): Promise<void>;
}

/** The configuration file can't be used; `faults` lists all that is wrong with it. */
export class ConfigurationFault extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

/** Opens the stores, loads what calls need into memory, and returns the gateway as a function. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  speakPlainly();
  const configuration = loadConfiguration(options);
  const stores = await openStores(options);
  try {
    const state = await loadState(options, stores, configuration);
    const endChores = repeatChores(options, stores, state);
    const retention = openRetention(options, stores, configuration.retention);
    const alertCallbacks = openAlertCallbacks(options, stores, options.alertTarget);
    return {
      fetch: assemble(options, stores, state),
      firstStart: stores.firstStart,
      async close() {
        endChores();
        state.requestReader.close();
        await retention.close();
        await alertCallbacks?.close();
        await state.adminKeyUses.keep().catch((error) => options.logFault("admin key uses", error));
        await stores.close();
      },
    };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

const builtIn = { provider: SANDBOX, models: sandboxModels.map(({ id }) => id) };

/** It has nothing to run out of. */
const sandboxLimits = { ...usualProviderLimits, maxConcurrentRequests: Number.POSITIVE_INFINITY };

type State = Awaited<ReturnType<typeof loadState>>;

function loadConfiguration({ configFile, environment }: GatewayOptions): Configuration {
  if (configFile === null) return emptyConfiguration;
  const read = readConfiguration(readFileSync(configFile, "utf8"), environment, builtIn);
  if ("faults" in read) throw new ConfigurationFault(read.faults.map((fault) => `${configFile}: ${fault}`));
  return read.configuration;
}

async function loadState(options: GatewayOptions, stores: Stores, configuration: Configuration) {
  const { clock } = options.effects;
  const defaultRateLimits = { ...builtInRateLimits, ...configuration.defaults };
  const { posted } = await stores.ledger.balance();
  const spending = await openSpending(options, stores, options.alertTarget !== null);
  const admissions = new Admissions(new BalanceMirror(posted), spending.spendBook, {
    clock,
    currency: stores.organization.currency,
    maxConcurrentRequests: options.maxConcurrentRequests,
  });
  admissions.restore(await readPastCalls(stores.database, clock.nowMs(), LONGEST_WINDOW_MS));
  const openCalls = new OpenCalls();
  const endAccess = (id: string) => openCalls.endAccess(id);
  return {
    defaultRateLimits,
    admissions,
    ...spending,
    bodyReader: new BodyReader({ clock, maxSlowPerAddress: options.maxSlowRequestsPerAddress }),
    requestReader: new RequestReader((reason) => options.logFault("request reader", reason)),
    openCalls,
    callsUnderWay: new CallsUnderWay(),
    adminKeyUses: new AdminKeyUses(stores.keys),
    keyring: new Keyring(await stores.keys.listActive(), endAccess),
    sessionBook: new SessionBook(await stores.sessions.listUnexpired(clock.nowMs()), endAccess),
    catalogue: await loadCatalogue(stores.models, configuration.models, defaultRateLimits),
    directory: await loadProviderDirectory(stores.providers, configuration.providers, options.providerHosts),
    modelPermissionBook: new ModelPermissionBook(await stores.modelPermissions.list()),
    userBook: new UserBook(await stores.users.list()),
    groupBook: new GroupBook(await stores.groups.list()),
    graph: new AccessGraph({
      roles: await stores.roles.list(),
      assignments: await stores.roles.listAssignments(),
      groupUsers: await stores.groups.listUsers(),
    }),
    ...(await openMirrors(options, stores)),
    projectBook: new ProjectBook(await stores.projects.list()),
  };
}

function assemble(options: GatewayOptions, stores: Stores, state: State) {
  const { effects, logFault, alertTarget } = options;
  const holdings = { ...stores, ...state, projects: followedBy(state.projectBook, stores.projects), effects };
  const context = { ...holdings, ...openSignIn(options, stores) };
  const links = new ProviderLinks(
    createSandboxClient({ clock: effects.clock }),
    sandboxLimits,
    effects.clock,
  );
  const balance = state.admissions.balance;
  return createGateway({
    ...context,
    logFault,
    addressOf: (headers, peer) => clientAddressOf(options, headers, peer),
    handlers: {
      ...projectRoutes(context),
      ...projectApiKeyRoutes(context),
      ...serviceAccountRoutes(context),
      ...adminApiKeyRoutes(context),
      ...inviteRoutes(context),
      ...sessionRoutes(context),
      ...signInRoutes(context),
      ...singleSignOnRoutes(context),
      ...passwordRoutes(context),
      ...twoFactorRoutes(context),
      ...roleRoutes(context),
      ...userRoutes(context),
      ...roleAssignmentRoutes(context),
      ...roleHolderRoutes(context),
      ...permissionRoutes(context),
      ...groupRoutes(context),
      ...groupUserRoutes(context),
      ...projectUserRoutes(context),
      ...projectGroupRoutes(context),
      ...projectRoleRoutes(context),
      ...rateLimitRoutes(context),
      ...modelPermissionRoutes(context),
      ...modelRoutes(context),
      ...providerRoutes({ ...context, links }),
      ...requestRoutes(context),
      ...usageRoutes(context),
      ...costRoutes(context),
      ...auditLogRoutes(context),
      ...spendLimitRoutes(context),
      ...spendAlertRoutes(context),
      ...spendAlertFiringRoutes({ ...context, isTold: alertTarget !== null }),
      ...balanceRoutes({ ...context, balance }),
    },
    streamedHandlers: completionRoutes({
      ...context,
      links,
      logFault,
    }),
    ready: async () => {
      if (!stores.funds.isHealthy()) throw new Error("The store of funds does not answer");
      await stores.ledger.balance();
    },
  });
}
