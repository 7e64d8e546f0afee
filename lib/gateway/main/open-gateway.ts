import { CLIENT_ADDRESS_HEADER, readSignedAddress } from "@/lib/client-address/signed-address";
import type { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import { installPlainMessages } from "@/lib/contract/describe-issue";
import { endGrants } from "../access-requests/grants";
import { answerCall } from "../calls/answer-call";
import type { ClockAndRandom } from "../clock";
import type { Configuration } from "../configuration/configuration";
import { readLastStored, StoreFault } from "../database/store-head";
import { createGateway } from "../gateway";
import { applyDuePrices } from "../models/scheduled-prices";
import type { RequestHeaders } from "../request-headers";
import { callRoutes } from "../routes/calls/calls";
import { backgroundAnswerStreams } from "../routes/playground/conversations";
import { fileStreams } from "../routes/tasks/files";
import { ownTaskStreams, taskStreams, videoStreams } from "../routes/tasks/tasks";
import { limitUsageEvents } from "../routes/usage/limit-usage";
import { openBackground } from "./background/open-background";
import { openBatches } from "./background/open-batches";
import { SteadyClock } from "./background/steady-clock";
import { createContext } from "./create-context";
import { createHandlers, type HandlerContext } from "./create-handlers";
import type { FirstStart } from "./first-start";
import type { GatewayOptions } from "./gateway-options";
import { loadState, type State } from "./memory/load-state";
import { openStores, type Stores } from "./open-stores";
import { openTelemetry, type Telemetry } from "./open-telemetry";
import { loadConfiguration } from "./settings/load-configuration";

type Answer = ReturnType<typeof createGateway>;

export interface OpenGateway {
  readonly fetch: Answer;
  /** Shown once; null unless the database was empty. */
  readonly firstStart: FirstStart | null;
  /** From now on `/readyz` says no, and each reply asks its client for a new connection. Calls are still answered. */
  drain(): void;
  /** Ends streams of events, which have no end of their own. */
  endStreams(): void;
  /** Resolves once no response goes on in the background. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the stores, loads memory from them, starts the background work, and returns the gateway as a function. If a
 * step fails, what the earlier ones opened is closed.
 */
export async function openGateway(settings: GatewayOptions): Promise<OpenGateway> {
  installPlainMessages();
  const configuration = loadConfiguration(settings);
  await using opened = new AsyncDisposableStack();
  refuseFolderOfFiles(settings, configuration);
  const openedStores = await openStores(settings);
  const options = { ...settings, runtime: openedStores.runtime };
  opened.defer(() => openedStores.close());
  const telemetry = await openTelemetry(options, openedStores);
  opened.defer(() => telemetry.close());
  const { stores } = telemetry;
  const state = await loadState(options, stores, configuration);
  opened.defer(() => {
    state.requestReader.close();
    state.replyReader.close();
    state.promptCounter.close();
  });
  telemetry.watchCircuits(() => state.links.openCircuits(state.directory));
  const steadyClock = new SteadyClock(
    options.runtime.clock,
    stores.connection && readLastStored(stores.connection),
  );
  if (!steadyClock.mayBeFarOff()) {
    const due = { ...stores, ...state, runtime: options.runtime };
    await applyDuePrices(due);
    await endGrants(due);
  }
  opened.defer(() => state.heldCalls.ended(LAST_WAIT_MS));
  const background = openBackground(options, stores, state, { ...configuration, steadyClock });
  opened.defer(() => background.close());
  const context = createContext(options, stores, state, background);
  const catchUp = findCatchUp(options, stores, state);
  const callContext = { ...context, callTracer: telemetry.callTracer, catchUp };
  const batches = openBatches(options, stores, state, { ...background.files, steadyClock }, (...call) =>
    answerCall(callContext, ...call),
  );
  opened.defer(() => batches.close());
  const calls = callRoutes({ ...callContext, lineThrottle: batches.lineThrottle });
  const stopping = { isSo: false };
  const fetch = assemble(options, { ...context, ...batches, stopping }, calls, telemetry);
  const kept = opened.move();
  return {
    fetch,
    firstStart: stores.firstStart,
    drain() {
      stopping.isSo = true;
    },
    endStreams: () => context.openStreams.endEvents(),
    idle: () => state.backgroundResponses.ended(),
    close: () => kept.disposeAsync(),
  };
}

/** How long calls that were broken off are waited for, until they are charged. */
const LAST_WAIT_MS = 5_000;

/** Reads what other gateways have changed; null where there are none. */
function findCatchUp(
  { logFault }: GatewayOptions,
  { postgresFunds }: Stores,
  { feed }: Pick<State, "feed">,
): (() => Promise<void>) | null {
  const log = (error: unknown) => logFault("feed of changes", error);
  return postgresFunds && (() => feed.catchUp().catch(log));
}

/** Several gateways share no folder: a file that was sent to one is read by another. */
function refuseFolderOfFiles({ databaseUrl }: GatewayOptions, { outputs }: Configuration): void {
  if (!databaseUrl || outputs) return;
  throw new StoreFault(
    "DATABASE_URL is set, so files can't be kept in a folder of this machine: name a bucket under outputs in the configuration file (GATEHOUSE_CONFIG).",
  );
}

/** Joins routes and everything they need into one function from request to response. */
function assemble(
  options: GatewayOptions,
  context: HandlerContext & { stopping: { readonly isSo: boolean } },
  calls: ReturnType<typeof callRoutes>,
  { stores, exposition }: Telemetry,
) {
  return createGateway({
    ...context,
    exposition,
    catchUp: findCatchUp(options, stores, context),
    findAddress: (headers, peer) => findClientAddress(options, headers, peer),
    handlers: createHandlers(context),
    eventHandlers: limitUsageEvents(context),
    rawHandlers: {
      ...calls,
      ...fileStreams(context),
      ...taskStreams(context),
      ...ownTaskStreams(context),
      ...backgroundAnswerStreams(context),
      ...videoStreams(context),
    },
    ready: async () => {
      if (!stores.funds.isHealthy()) throw new Error("The store of funds does not answer");
      await stores.ledger.balance();
    },
  });
}

interface Believed {
  readonly secret: Uint8Array;
  readonly trustedProxies: TrustedProxies;
  readonly runtime: ClockAndRandom;
}

/** The client's address: the one that the console signed for a browser, or the one that the trusted proxies report. */
function findClientAddress(
  { secret, trustedProxies, runtime }: Believed,
  headers: RequestHeaders,
  peer: string | null,
): string | null {
  const signedAddress = headers.get(CLIENT_ADDRESS_HEADER);
  const browser =
    signedAddress === null ? null : readSignedAddress(signedAddress, secret, runtime.clock.nowMs());
  return browser ?? (peer === null ? null : trustedProxies.findClient(peer, headers.get("x-forwarded-for")));
}
