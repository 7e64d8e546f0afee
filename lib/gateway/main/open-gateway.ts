import { installPlainMessages } from "@/lib/contract/describe-issue";
import { createGateway } from "../gateway";
import { applyDuePrices } from "../models/apply-due-prices";
import { completionRoutes } from "../routes/calls/completions";
import { conversationAnswerStreams } from "../routes/playground/conversation-answers";
import { fileStreams } from "../routes/tasks/files";
import { ownTaskStreams } from "../routes/tasks/own-tasks";
import { taskStreams } from "../routes/tasks/tasks";
import { videoStreams } from "../routes/tasks/videos";
import { limitUsageEvents } from "../routes/usage/limit-usage";
import { openBackground } from "./background/open-background";
import { openBatches } from "./background/open-batches";
import { clientAddressOf } from "./client-address-of";
import { createContext } from "./create-context";
import { createHandlers, type HandlerContext } from "./create-handlers";
import type { FirstStart } from "./first-start";
import type { GatewayOptions } from "./gateway-options";
import { loadState } from "./memory/load-state";
import { openStores } from "./open-stores";
import { openTelemetry, type Telemetry } from "./open-telemetry";
import { loadConfiguration } from "./settings/load-configuration";

export interface OpenGateway {
  readonly fetch: ReturnType<typeof createGateway>;
  /** Shown once; null unless the database was empty. */
  readonly firstStart: FirstStart | null;
  close(): Promise<void>;
}

/** Opens the stores, loads memory from them, starts the background work, and returns the gateway as a function. */
export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  installPlainMessages();
  const configuration = loadConfiguration(options);
  const opened = await openStores(options);
  try {
    const telemetry = await openTelemetry(options, opened);
    const { stores } = telemetry;
    const state = await loadState(options, stores, configuration);
    telemetry.watchCircuits(() => state.links.openCircuits(state.directory));
    await applyDuePrices({ ...stores, ...state, effects: options.effects });
    const background = openBackground(options, stores, state, configuration);
    const context = createContext(options, stores, state, background);
    const calls = completionRoutes({ ...context, callTraces: telemetry.callTraces });
    const batches = openBatches(options, stores, state, background.files, calls);
    return {
      fetch: assemble(options, { ...context, ...batches }, batches.liveCalls, telemetry),
      firstStart: stores.firstStart,
      async close() {
        await batches.close();
        await background.close();
        await telemetry.close();
        await stores.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Joins routes and everything they need into one function from request to response. */
function assemble(
  options: GatewayOptions,
  context: HandlerContext,
  calls: ReturnType<typeof completionRoutes>,
  { stores, exposition }: Telemetry,
) {
  return createGateway({
    ...context,
    exposition,
    addressOf: (headers, peer) => clientAddressOf(options, headers, peer),
    handlers: createHandlers(context),
    eventHandlers: limitUsageEvents(context),
    streamedHandlers: {
      ...calls,
      ...fileStreams(context),
      ...taskStreams(context),
      ...ownTaskStreams(context),
      ...conversationAnswerStreams(context),
      ...videoStreams(context),
    },
    ready: async () => {
      if (!stores.funds.isHealthy()) throw new Error("The store of funds does not answer");
      await stores.ledger.balance();
    },
  });
}
