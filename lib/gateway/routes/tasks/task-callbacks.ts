import type { TaskCallback, TestCallback } from "@/lib/contract/operations/tasks/task-callbacks";
import { type AuthenticationContext, authenticateAgain } from "../../access/authenticate";
import { toUnixSeconds } from "../../clock";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import {
  createTestSender,
  findCallbackLog,
  resendCallback,
  rotateCallbackSecret,
  type SecretContext,
  type SentTest,
} from "../../tasks/callbacks/callbacks";
import {
  computeOverlapEndMs,
  createPoster,
  projectSecrets,
  readCallbackUrl,
  type SecretVersion,
} from "../../tasks/callbacks/post-callback";
import type { CallbackLog } from "../../tasks/callbacks/task-callbacks.sql";
import type { TaskStore } from "../../tasks/task-store.sql";
import type { Handlers } from "../handler";
import { findTask } from "../visible-work";

type Ids =
  | "retrieveTaskCallback"
  | "sendTaskCallback"
  | "retrieveCallbackSecret"
  | "rotateCallbackSecret"
  | "sendTestCallback";

interface Context extends SecretContext, AuthenticationContext {
  readonly runtime: AuthenticationContext["runtime"];
  readonly tasks: TaskStore;
  readonly projects: ProjectStore;
  /** The gateway's secret, from which the projects' secrets are derived. */
  readonly secret: Uint8Array;
  /** Hosts at private addresses that callbacks may go to. */
  readonly callbackHosts: readonly string[];
}

export function taskCallbackRoutes(context: Context): Handlers<Ids> {
  const { taskCallbacks, runtime, projects, secret, callbackHosts } = context;
  const sendTest = createTestSender(context);
  return {
    retrieveTaskCallback: async ({ params, caller }) => {
      const { id } = await findTask(context, params.task_id, caller, "api.tasks.read");
      return describeCallback(id, await findCallbackLog(context, id));
    },
    sendTaskCallback: async ({ params: { task_id: taskId }, headers, request }) => {
      await resendCallback(context, request, () =>
        findTask(context, taskId, authenticateAgain(context, headers), "api.tasks.write"),
      );
      return describeCallback(taskId, await findCallbackLog(context, taskId));
    },
    retrieveCallbackSecret: async ({ params: { project_id: projectId } }) => {
      await findProject(projects, projectId);
      return describeSecret(context, projectId, await taskCallbacks.findSecret(projectId));
    },
    rotateCallbackSecret: async ({ params: { project_id: projectId }, body, request }) => {
      await findProject(projects, projectId);
      const rotation = { projectId, replaces: body.replaces };
      return describeSecret(context, projectId, await rotateCallbackSecret(context, request, rotation));
    },
    sendTestCallback: async ({ params: { project_id: projectId }, body: { callback_url: address } }) => {
      await findProject(projects, projectId);
      const post = createPoster(readCallbackUrl(address, callbackHosts));
      const current = await taskCallbacks.findSecret(projectId);
      const secrets = projectSecrets(secret, projectId, current, runtime.clock.nowMs());
      return describeTest(projectId, await sendTest(projectId, { post, secrets }));
    },
  };
}

function describeCallback(taskId: string, log: CallbackLog): TaskCallback {
  return {
    object: "task.callback",
    task_id: taskId,
    url: log.url,
    status: log.status,
    next_try_at: log.nextTryAtMs === null ? null : toUnixSeconds(log.nextTryAtMs),
    tries: log.tries.map(describeTry),
  };
}

function describeTry({ atMs, tookMs, status, failure }: CallbackLog["tries"][number]) {
  return { at: toUnixSeconds(atMs), took_ms: tookMs, status, failure };
}

function describeTest(projectId: string, { callbackId, body, ...sentTry }: SentTest): TestCallback {
  const ids = { project_id: projectId, webhook_id: callbackId };
  return { object: "callback.test", ...ids, body, ...describeTry(sentTry) };
}

function describeSecret({ secret, runtime }: Context, projectId: string, current: SecretVersion) {
  const nowMs = runtime.clock.nowMs();
  const endsAtMs = computeOverlapEndMs(current, nowMs);
  return {
    object: "callback_secret" as const,
    project_id: projectId,
    secret: projectSecrets(secret, projectId, current, nowMs)[0].reveal(),
    number: current.version,
    previous_ends_at: endsAtMs === null ? null : toUnixSeconds(endsAtMs),
  };
}
