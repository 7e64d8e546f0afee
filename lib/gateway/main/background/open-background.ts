import type { Configuration } from "../../configuration/configuration";
import { openReconciler } from "../../doctor/open-reconciler";
import { openReporting } from "../../reporting/open-reporting";
import type { GatewayOptions } from "../gateway-options";
import type { State } from "../memory/load-state";
import type { Stores } from "../open-stores";
import { openAlertCallbacks } from "./open-alert-callbacks";
import { openBodyQueue } from "./open-body-queue";
import { openFiles } from "./open-files";
import { openLimitSamples } from "./open-limit-samples";
import { openRetention } from "./open-retention";
import { openTaskCallbacks } from "./open-task-callbacks";
import { openTasks } from "./open-tasks";
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
  const retention = openRetention(options, stores, state.changes.lock, {
    draft: retentionDraft,
    steadyClock,
  });
  const reporting = openReporting(options);
  const bodyQueue = openBodyQueue(options);
  const reconciler = openReconciler(options);
  const limitSamples = openLimitSamples(options, state.admissions.windows, reporting);
  const alertCallbacks = openAlertCallbacks(options, stores, state, options.alertTarget);
  const tasks = openTasks(options, stores, state, configuration);
  const taskCallbacks = openTaskCallbacks(options, stores, state);
  const files = openFiles(options, stores, state, configuration);
  return {
    files,
    reporting,
    bodyQueue,
    reconciler,
    tasks,
    steadyClock,
    async close() {
      endMaintenance();
      await state.keptAnswers.close();
      await files.close();
      await tasks.close();
      await taskCallbacks.close();
      await retention.close();
      await limitSamples.close();
      await reconciler.close();
      await reporting.close();
      await bodyQueue.close();
      await alertCallbacks?.close();
      await state.accessRefusals.flush().catch((error) => options.logFault("refused access", error));
      await state.adminKeyUses.keep().catch((error) => options.logFault("admin key uses", error));
    },
  };
}
