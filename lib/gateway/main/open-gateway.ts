import { speakPlainly } from "@/lib/contract/describe-issue";
import { createGateway } from "../gateway";
import { completionRoutes } from "../routes/completions";
import { limitUsageEvents } from "../routes/limit-usage";
import { taskStreams } from "../routes/tasks";
import { clientAddressOf } from "./client-address-of";
import { createContext } from "./create-context";
import { createHandlers } from "./create-handlers";
import type { FirstStart } from "./first-start";
import type { GatewayOptions } from "./gateway-options";
import { loadConfiguration } from "./load-configuration";
import { loadState } from "./load-state";
import { openAlertCallbacks } from "./open-alert-callbacks";
import { openBodyKeeper } from "./open-body-keeper";
import { openCallSums } from "./open-call-sums";
import { openLimitSamples } from "./open-limit-samples";
import { openReconciler } from "./open-reconciler";
import { openRetention } from "./open-retention";
import { openStores } from "./open-stores";
import { openTaskCallbacks } from "./open-task-callbacks";
import { openTasks } from "./open-tasks";
import { openTelemetry, type Telemetry } from "./open-telemetry";
import { repeatChores } from "./repeat-chores";

export interface OpenGateway {
  readonly fetch: ReturnType<typeof createGateway>;
  /** What to show once; null unless the database was empty. */
  readonly firstStart: FirstStart | null;
  /** The ports at the other end of the connections with a request under way. */
  portsUnderWay(): ReadonlySet<number>;
  close(): Promise<void>;
}

/** Opens the stores, loads what calls need into memory, and returns the gateway as a function. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  speakPlainly();
  const configuration = loadConfiguration(options);
  const opened = await openStores(options);
  try {
    const telemetry = await openTelemetry(options, opened);
    const { stores } = telemetry;
    const state = await loadState(options, stores, configuration);
    const endChores = repeatChores(options, stores, state);
    const retention = openRetention(options, stores, state.changes.turn, configuration.retention);
    const callSums = openCallSums(options);
    const bodyKeeper = openBodyKeeper(options);
    const reconciler = openReconciler(options);
    const limitSamples = openLimitSamples(options, state.admissions, callSums);
    const alertCallbacks = openAlertCallbacks(options, stores, state, options.alertTarget);
    const tasks = openTasks(options, stores, state, configuration.retention);
    const taskCallbacks = openTaskCallbacks(options, stores, state);
    return {
      fetch: assemble(
        options,
        createContext(options, stores, state, { tasks, callSums, bodyKeeper, reconciler }),
        telemetry,
      ),
      firstStart: stores.firstStart,
      portsUnderWay: () => state.requestsUnderWay.ports(),
      async close() {
        endChores();
        state.requestReader.close();
        state.replyReader.close();
        await tasks.close();
        await taskCallbacks.close();
        await retention.close();
        await limitSamples.close();
        await reconciler.close();
        await callSums.close();
        await bodyKeeper.close();
        await alertCallbacks?.close();
        await state.accessRefusals.keep().catch((error) => options.logFault("refused access", error));
        await state.adminKeyUses.keep().catch((error) => options.logFault("admin key uses", error));
        await telemetry.close();
        await stores.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function assemble(
  options: GatewayOptions,
  context: ReturnType<typeof createContext>,
  { stores, answerMetrics, callTraces }: Telemetry,
) {
  return createGateway({
    ...context,
    answerMetrics,
    addressOf: (headers, peer) => clientAddressOf(options, headers, peer),
    handlers: createHandlers(context),
    eventHandlers: limitUsageEvents(context),
    streamedHandlers: { ...completionRoutes({ ...context, callTraces }), ...taskStreams(context) },
    ready: async () => {
      if (!stores.funds.isHealthy()) throw new Error("The store of funds does not answer");
      await stores.ledger.balance();
    },
  });
}
