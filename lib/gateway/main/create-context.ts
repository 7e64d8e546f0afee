import type { AuditChainVerifier } from "../audit/audit-log-reader";
import { ProviderLinks } from "../completions/provider-links";
import type { LimitUseStore } from "../rate-limits/limit-uses";
import type { ModelHealthReader } from "../usage/model-health";
import type { UsageSummaryReader } from "../usage/usage-summary";
import type { GatewayOptions } from "./gateway-options";
import type { State } from "./load-state";
import { openSignIn } from "./open-sign-in";
import type { Stores } from "./open-stores";
import type { OpenTasks } from "./open-tasks";

/** What routes need: stores, what is in memory, and what reaches out of the process. */
export function createContext(
  options: GatewayOptions,
  stores: Stores,
  state: State,
  tasks: Pick<OpenTasks, "outputFiles" | "taskCreated">,
  callSums: UsageSummaryReader & LimitUseStore & ModelHealthReader & AuditChainVerifier,
) {
  const { effects, logFault, alertTarget, callbackHosts } = options;
  const { clock } = effects;
  return {
    ...stores,
    ...state,
    ...openSignIn(options, stores, state),
    usageSummaries: callSums,
    limitUses: callSums,
    health: callSums,
    auditChain: callSums,
    windows: state.admissions,
    effects,
    logFault,
    links: new ProviderLinks(clock),
    outputFiles: tasks.outputFiles,
    taskCreated: tasks.taskCreated,
    callbackHosts,
    hasAlertTarget: alertTarget !== null,
  };
}
