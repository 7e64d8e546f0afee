import { openBodyQueue } from "../../calls/bodies/body-queue";
import { type ChangeContext, systemChange, type Write } from "../../changes/change";
import type { Configuration } from "../../configuration/configuration";
import { openPostgresReconciler, openReconciler } from "../../doctor/open-reconciler";
import { openCanaryWatch } from "../../log/routes/end-canaries";
import { LimitSampler, type LimitUsageStore, type LimitWindows } from "../../rate-limits/limit-usage";
import { openPostgresReporting, openReporting } from "../../reporting/open-reporting";
import type { CallbackClaims } from "../../tasks/callbacks/callback-claims";
import { runCallbackSender } from "../../tasks/callbacks/callback-sender";
import {
  type CallbackTarget,
  CallbackTargetFault,
  createPoster,
  deriveCallbackSecret,
  projectSecrets,
  readCallbackTarget,
} from "../../tasks/callbacks/post-callback";
import type { ProjectCallback } from "../../tasks/callbacks/task-callbacks.sql";
import type { GatewayOptions, StoreOptions } from "../gateway-options";
import type { State } from "../memory/load-state";
import type { Stores } from "../open-stores";
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

/** The longest delays before a due message is sent. */
const ALERTS_POLL_MS = 1_000;
const PROJECTS_POLL_MS = 500;

/**
 * Delivers the messages of fired alerts, including those that an earlier process left. Null without a callback address.
 */
function openAlertCallbacks(
  { runtime, secret, logFault }: Pick<StoreOptions, "runtime" | "secret" | "logFault">,
  { alertClaims, owner, isAlone }: Pick<Stores, "alertClaims" | "owner" | "isAlone">,
  context: ChangeContext,
  target: CallbackTarget | null,
): { close(): Promise<void> } | null {
  if (!target) return null;
  const write: Write = (work) => systemChange(context, "spend alert outbox", work);
  const claims = alertClaims(write, owner);
  const receiver = { post: createPoster(target), secrets: deriveCallbackSecret(secret) };
  return runCallbackSender(
    {
      claims,
      findReceiver: () => receiver,
      runtime,
      logFault,
    },
    { everyMs: ALERTS_POLL_MS, isAlone },
  );
}

type ProjectSenderOptions = Pick<GatewayOptions, "runtime" | "secret" | "logFault" | "callbackHosts">;

/**
 * Delivers the ends of tasks and of responses of the background to their callback URLs, including messages that an
 * earlier process left.
 */
function openProjectCallbacks(
  options: ProjectSenderOptions,
  stores: Pick<
    Stores,
    "taskCallbackClaims" | "responseCallbackClaims" | "owner" | "isAlone" | "organization"
  >,
  context: ChangeContext,
): { close(): Promise<void> } {
  const { owner, isAlone, organization } = stores;
  const writeTask: Write = (work) => systemChange(context, "task", work);
  const writeResponse: Write = (work) => systemChange(context, "response", work);
  const senders = [
    stores.taskCallbackClaims(writeTask, owner, organization.currency),
    stores.responseCallbackClaims(writeResponse, owner),
  ].map((claims) => runProjectSender(options, claims, isAlone));
  return { close: async () => void (await Promise.all(senders.map((sender) => sender.close()))) };
}

function runProjectSender(
  { runtime, secret, logFault, callbackHosts }: ProjectSenderOptions,
  claims: CallbackClaims<ProjectCallback>,
  isAlone: boolean,
): { close(): Promise<void> } {
  return runCallbackSender(
    {
      claims,
      findReceiver: ({ url, projectId, secret: version }) => {
        if (url === null) throw new CallbackTargetFault("can't be decrypted: GATEHOUSE_SECRET is another.");
        return {
          post: createPoster(readCallbackTarget(url, callbackHosts)),
          secrets: projectSecrets(secret, projectId, version, runtime.clock.nowMs()),
        };
      },
      runtime,
      logFault,
    },
    { everyMs: PROJECTS_POLL_MS, isAlone },
  );
}
