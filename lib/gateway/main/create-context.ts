import type { Reconciler } from "../balance/reconciliation";
import { BodyCaptures } from "../completions/bodies/body-capture";
import { ProviderLinks } from "../completions/provider-links";
import type { BodyKeeper } from "../requests/kept-body";
import { bySumsOrCalls } from "../usage/usage-reader";
import type { GatewayOptions } from "./gateway-options";
import type { State } from "./load-state";
import type { CallSums } from "./open-call-sums";
import { openSignIn } from "./open-sign-in";
import type { Stores } from "./open-stores";
import type { OpenTasks } from "./open-tasks";

/** What works beside the calls. */
interface Background {
  readonly tasks: Pick<OpenTasks, "outputFiles" | "workOnTasks">;
  readonly callSums: CallSums;
  readonly bodyKeeper: BodyKeeper;
  readonly reconciler: Reconciler;
}

/** What routes need: stores, what is in memory, and what reaches out of the process. */
export function createContext(
  options: GatewayOptions,
  stores: Stores,
  state: State,
  { tasks, callSums, bodyKeeper, reconciler }: Background,
) {
  const { effects, logFault, alertTarget, callbackHosts, secret } = options;
  const { clock } = effects;
  return {
    ...stores,
    ...state,
    ...openSignIn(options, stores, state),
    usage: bySumsOrCalls(callSums, stores.usage),
    usageSummaries: callSums,
    limitUses: callSums,
    health: callSums,
    auditChain: callSums,
    bodyKeeper,
    bodyCaptures: new BodyCaptures(state.bodySettingsMirror, bodyKeeper, clock),
    reconciler,
    windows: state.admissions,
    effects,
    logFault,
    links: new ProviderLinks(clock),
    outputFiles: tasks.outputFiles,
    workOnTasks: tasks.workOnTasks,
    callbackHosts,
    secret,
    hasAlertTarget: alertTarget !== null,
  };
}
