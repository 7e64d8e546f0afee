import { BodyCaptures } from "../calls/bodies/body-capture";
import { RecentItems } from "../calls/responses/turn";
import { OpenStreams } from "../http/open-streams";
import { bySumsOrCalls } from "../log/usage/usage-reader.sql";
import type { Background } from "./background/open-background";
import type { GatewayOptions } from "./gateway-options";
import type { State } from "./memory/load-state";
import { openSignIn, type Stores } from "./open-stores";

/** Everything that routes need: the stores, the in-memory state, the background work and the settings. */
export function createContext(
  options: GatewayOptions,
  stores: Stores,
  state: State,
  { tasks, files, reporting, bodyQueue, reconciler, steadyClock }: Background,
) {
  const { runtime, logFault, alertTarget, callbackHosts, secret, providerHosts } = options;
  const { clock } = runtime;
  return {
    ...stores,
    ...state,
    ...openSignIn(options, stores, state),
    usage: bySumsOrCalls(reporting, stores.usage),
    usageSummaries: reporting,
    limitUsage: reporting,
    limitReplayer: reporting,
    health: reporting,
    routeActivity: reporting,
    chargedUnits: reporting,
    auditChain: reporting,
    statements: reporting,
    bodyQueue,
    recentItems: new RecentItems(clock),
    bodyCaptures: new BodyCaptures(state.bodySettingsCache, bodyQueue, clock),
    reconciler,
    steadyClock,
    windows: state.admissions.windows,
    runtime,
    logFault,
    outputFiles: tasks.outputFiles,
    inputReceiver: tasks.inputReceiver,
    workOnTasks: tasks.workOnTasks,
    taskWatch: tasks.taskWatch,
    openStreams: new OpenStreams(),
    storedFiles: files.storedFiles,
    formReceiver: files.formReceiver,
    recordingLength: files.recordingLength,
    filesMs: files.filesMs,
    callbackHosts,
    providerHosts,
    secret,
    hasAlertTarget: alertTarget !== null,
  };
}
