import { builtInRateLimits, LONGEST_WINDOW_MS } from "@/lib/contract/rate-limit-table";
import { Admissions } from "../admission/admission";
import { CallsUnderWay } from "../completions/calls-under-way";
import { OpenCalls } from "../completions/open-calls";
import { RequestReader } from "../completions/request-reader";
import type { Configuration } from "../configuration/configuration";
import { BodyReader } from "../http/body-reader";
import { AdminKeyUses } from "../keys/admin-key-uses";
import { Keyring } from "../keys/keyring";
import { GroupBook } from "../members/group-book";
import { UserBook } from "../members/user-book";
import { loadCatalogue } from "../models/load-catalogue";
import { loadProviderDirectory } from "../models/load-provider-directory";
import { ModelPermissionBook } from "../projects/model-permission-book";
import { ProjectBook } from "../projects/project-book";
import { AccessGraph } from "../roles/access-graph";
import { SessionBook } from "../sessions/session-book";
import { readPastCalls } from "../store/read-past-calls";
import type { GatewayOptions } from "./gateway-options";
import { openMirrors } from "./open-mirrors";
import { openSpending } from "./open-spending";
import type { Stores } from "./open-stores";

export type State = Awaited<ReturnType<typeof loadState>>;

/** Loads what calls and changes need from the stores into memory. */
export async function loadState(options: GatewayOptions, stores: Stores, configuration: Configuration) {
  const { clock } = options.effects;
  const defaultRateLimits = { ...builtInRateLimits, ...configuration.defaults };
  const spending = await openSpending(options, stores, options.alertTarget !== null);
  const admissions = new Admissions(stores.funds, spending.spendBook, {
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
