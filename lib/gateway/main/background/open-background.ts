import { openBodyQueue } from "../../calls/bodies/body-queue";
import type { Configuration } from "../../configuration/configuration";
import { openPostgresReconciler, openReconciler } from "../../doctor/open-reconciler";
import { openCanaryWatch } from "../../log/routes/end-canaries";
import { LimitSampler, type LimitUsageStore, type LimitWindows } from "../../rate-limits/limit-usage";
import { openPostgresReporting, openReporting } from "../../reporting/open-reporting";
import type { GatewayOptions, StoreOptions } from "../gateway-options";
import type { State } from "../memory/load-state";
import type { Stores } from "../open-stores";
import { openAlertCallbacks, openProjectCallbacks } from "./open-callbacks";
import { openFiles } from "./open-files";
import { openTasks } from "./open-tasks";
import { openRetention } from "./prune-store.sql";
import { runMaintenance } from "./run-maintenance";
import type { SteadyClock } from "./steady-clock";

export type Background = ReturnType<typeof openBackground>;

/** Starts all background work: on timers, on separate threads, or both. */
export function openBackground(
  options: GatewayOptions,
  stores: Stores,
  state: State,
  configuration: Pick<Configuration, "retention" | "outputs"> & { readonly steadyClock: SteadyClock },
) {
  const { retention: retentionDraft, steadyClock } = configuration;
  const endMaintenance = runMaintenance(options, stores, { ...state, steadyClock });
  const retention = openRetention(options, state.changes, { draft: retentionDraft, steadyClock });
  const reporting = stores.connection
    ? openReporting(options)
    : openPostgresReporting(stores.reads, options.logFault);
  const canaries = { ...stores, ...state, runtime: options.runtime, routeActivity: reporting };
  const endCanaryWatch = openCanaryWatch(canaries, options.logFault);
  const bodyQueue = openBodyQueue(options);
  const reconciler = options.databaseUrl
    ? openPostgresReconciler(options.databaseUrl, options)
    : openReconciler(options);
  const limitSamples = openLimitSamples(options, state.admissions.windows, reporting);
  const alertCallbacks = openAlertCallbacks(options, stores, state, options.alertTarget);
  const tasks = openTasks(options, stores, state, configuration);
  const projectCallbacks = openProjectCallbacks(options, stores, state);
  const files = openFiles(options, stores, state, configuration);
  return {
    files,
    reporting,
    bodyQueue,
    reconciler,
    tasks,
    steadyClock,
    async close() {
      await endMaintenance();
      await endCanaryWatch();
      await state.backgroundAnswers.close();
      await state.backgroundResponses.close();
      await files.close();
      await tasks.close();
      await projectCallbacks.close();
      await retention.close();
      await limitSamples.close();
      await reconciler.close();
      await reporting.close();
      await bodyQueue.close();
      await alertCallbacks?.close();
      await state.accessRefusals.flush().catch((error) => options.logFault("refused access", error));
      await state.unaccountedCosts.flush().catch((error) => options.logFault("unaccounted costs", error));
      await state.adminKeyUses.keep().catch((error) => options.logFault("admin key uses", error));
      // A change that nobody waits for ends before the store closes.
      await state.changes.lock(async () => {});
    },
  };
}

const POLL_MS = 5_000;

/** Samples the use of each limit every few seconds, and once more on closing. */
function openLimitSamples(
  { runtime: { clock }, logFault }: Pick<StoreOptions, "runtime" | "logFault">,
  windows: LimitWindows,
  store: Pick<LimitUsageStore, "savePeaks">,
): { close(): Promise<void> } {
  const sampler = new LimitSampler(windows, store);
  const sample = () => sampler.sample(clock.nowMs()).catch((error) => logFault("use of limits", error));
  const timer = setInterval(sample, POLL_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await sample();
    },
  };
}
