import type { TaskCallback, TestCallback } from "@/lib/contract/operations/tasks/task-callbacks";
import { taskOperations } from "@/lib/contract/operations/tasks/tasks";
import { videoOperations } from "@/lib/contract/operations/tasks/videos";
import { type AuthenticationContext, authenticate, authenticateAgain } from "../../access/authenticate";
import { authorizeAgain, listVisibleProjects, narrowTo, refuseContent } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import type { FileStorage, StoredFile } from "../../files/file-storage";
import { answerEvents, type OpenStreams } from "../../http/open-streams";
import { parseWith } from "../../http/parse-with";
import { noSniffing } from "../../http/response";
import type { RequestContext } from "../../http/server";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
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
import type { TaskFile, TaskRecord, TaskStore } from "../../tasks/task-store.sql";
import type { TaskWatch } from "../../tasks/task-watch";
import {
  type CancelContext,
  deleteVideo,
  describeTask,
  describeVideo,
  requestCancellation,
} from "../../tasks/tasks";
import type { Handlers, RawHandlers } from "../handler";
import { paginate } from "../paginate";
import {
  findOwnTask,
  findTask,
  followContent,
  isMadeBy,
  isVisible,
  listVisibleKeyIds,
} from "../visible-work";
import { answerFile } from "./files";

interface TaskRoutesContext extends CancelContext, AuthenticationContext {
  readonly runtime: AuthenticationContext["runtime"];
  readonly outputFiles: FileStorage;
  readonly taskWatch: TaskWatch;
  readonly openStreams: OpenStreams;
  readonly organization: { readonly currency: string };
  logFault(requestId: string, error: unknown): void;
}

export function taskRoutes(
  context: TaskRoutesContext,
): Handlers<"listTasks" | "retrieveTask" | "cancelTask"> {
  const describe = (task: TaskRecord) => describeTask(task, context.organization.currency);
  return {
    listTasks: ({ query, caller }) => {
      const { project_id, status, model, ...page } = query;
      const visible = listVisibleProjects(context.graph, caller, "api.tasks.read");
      const keyIds = listVisibleKeyIds(context, caller);
      const filter = { projectIds: narrowTo(visible, project_id), keyIds, status, model };
      return paginate(context.tasks.pages(filter), page, describe);
    },
    retrieveTask: async ({ params, caller }) =>
      describe(await findTask(context, params.task_id, caller, "api.tasks.read")),
    cancelTask: async ({ params, headers, request }) =>
      describe(
        await requestCancellation(context, request, () =>
          findTask(context, params.task_id, authenticateAgain(context, headers), "api.tasks.write"),
        ),
      ),
  };
}

/** The operations whose replies are not JSON. */
export function taskStreams(
  context: TaskRoutesContext,
): Pick<RawHandlers, "streamTaskEvents" | "retrieveTaskOutput"> {
  return {
    async streamTaskEvents(requestContext, caller, { task_id = "" }) {
      await findTask(context, task_id, caller, "api.tasks.read");
      return streamEvents(context, requestContext, { caller, id: task_id }, async (one, task) =>
        isVisible(context, one, "api.tasks.read", task),
      );
    },
    async retrieveTaskOutput(requestContext, caller, params) {
      const { task_id = "", position = "" } = params;
      const task = await findTask(context, task_id, caller, "api.tasks.read");
      refuseContent(caller, task);
      return answerOutput(context, requestContext, {
        task,
        position,
        refuseLostAccess: followContent(
          context,
          requestContext.request,
          taskOperations.retrieveTaskOutput,
          task,
        ),
      });
    },
  };
}

type MaySee = (caller: Caller, task: TaskRecord) => Promise<boolean>;

/** Answers with a task's changes as server-sent events. */
function streamEvents(
  context: TaskRoutesContext,
  requestContext: RequestContext,
  { caller: reader, id }: { readonly caller: Caller; readonly id: string },
  maySee: MaySee,
): Response {
  const { headers, signal: left } = requestContext.request;
  const signal = AbortSignal.any([left, context.openStreams.ending]);
  const isSeen = async (task: TaskRecord) => {
    const caller = authenticate(context, headers);
    return caller !== null && maySee(caller, task);
  };
  return answerEvents(context.taskWatch.follow(id, { signal, isSeen }), {
    headers: { "x-request-id": requestContext.requestId, "cache-control": "no-store", ...noSniffing },
    logFault: (error) => context.logFault(requestContext.requestId, error),
    onEnd: context.openStreams.enter(reader),
  });
}

interface Output {
  readonly task: TaskRecord;
  readonly position: string;
  /** @throws Refusal once the caller may no longer read the file. */
  refuseLostAccess(): void;
}

/** @throws Refusal 404 if the task made no such file, or it has been deleted. */
async function answerOutput(
  context: Pick<TaskRoutesContext, "outputFiles" | "logFault">,
  requestContext: RequestContext,
  { task, position, refuseLostAccess }: Output,
): Promise<Response> {
  const file = /^\d{1,3}$/.test(position) ? task.files[Number(position)] : undefined;
  const storedFile = file && (await context.outputFiles.open(task.id, Number(position)));
  if (!file || !storedFile) throw notFound("file", `${task.id}/output/${position}`, "position");
  return answerTaskFile(context, requestContext, { ...file, storedFile, refuseLostAccess });
}

interface TaskFileReply extends Pick<TaskFile, "mimeType"> {
  readonly storedFile: StoredFile;
  /** @throws Refusal once the caller may no longer read the file. */
  refuseLostAccess(): void;
}

/** A file that a task made, or the part of it that the request asks for. Breaks off if `refuseLostAccess` throws. */
function answerTaskFile(
  context: Pick<TaskRoutesContext, "logFault">,
  requestContext: RequestContext,
  { mimeType, storedFile: file, refuseLostAccess }: TaskFileReply,
): Promise<Response> {
  const headers = {
    "content-type": mimeType,
    // A task's output never changes.
    "cache-control": "private, max-age=31536000, immutable",
    // A provider chose the content, so the browser must not run it as a page.
    "content-security-policy": "sandbox; default-src 'none'",
    ...noSniffing,
  };
  return answerFile(context, requestContext, { file, headers, refuseLostAccess });
}

interface Context extends TaskRoutesContext {
  readonly requests: Pick<RequestLogReader, "find">;
}

/** The tasks of whoever asks. They need no permission, as for the calls that made them. */
export function ownTaskRoutes(
  context: Context,
): Handlers<"listOwnTasks" | "retrieveOwnTask" | "cancelOwnTask"> {
  const describe = (task: TaskRecord) => describeTask(task, context.organization.currency);
  return {
    listOwnTasks: ({ query: { project_id, status, model, ...page }, caller }) => {
      const projectIds = project_id === undefined ? null : [project_id];
      const filter = { projectIds, keyIds: [caller.keyId], status, model };
      return paginate(context.tasks.pages(filter), page, describe);
    },
    retrieveOwnTask: async ({ params, caller }) =>
      describe(await findOwnTask(context, params.task_id, caller)),
    cancelOwnTask: async ({ params, headers, request }) =>
      describe(
        await requestCancellation(context, request, () =>
          findOwnTask(context, params.task_id, authenticateAgain(context, headers)),
        ),
      ),
  };
}

/** The operations whose replies are not JSON. */
export function ownTaskStreams(
  context: Context,
): Pick<RawHandlers, "streamOwnTaskEvents" | "retrieveOwnTaskOutput"> {
  return {
    async streamOwnTaskEvents(requestContext, caller, { task_id = "" }) {
      await findOwnTask(context, task_id, caller);
      return streamEvents(context, requestContext, { caller, id: task_id }, (one, task) =>
        isMadeBy(context, one, task),
      );
    },
    async retrieveOwnTaskOutput(requestContext, caller, params) {
      const { task_id = "", position = "" } = params;
      const { headers } = requestContext.request;
      const refuseLostAccess = () =>
        void authorizeAgain(context, headers, taskOperations.retrieveOwnTaskOutput, params);
      const task = await findOwnTask(context, task_id, caller);
      return answerOutput(context, requestContext, { task, position, refuseLostAccess });
    },
  };
}

const [READ, WRITE] = ["api.tasks.read", "api.tasks.write"] as const;

export function videoRoutes(
  context: TaskRoutesContext,
): Handlers<"listVideos" | "retrieveVideo" | "deleteVideo"> {
  return {
    listVideos: ({ query: { order, ...page }, caller }) => {
      const projectIds = listVisibleProjects(context.graph, caller, READ);
      const filter = {
        projectIds,
        keyIds: listVisibleKeyIds(context, caller),
        family: "video",
        hasFiles: true,
      } as const;
      const videos = context.tasks.pages(filter);
      // This list's default order is newest first, so `asc` reverses it.
      return paginate(videos, { ...page, ...(order === "asc" && { order: "desc" }) }, describeVideo);
    },
    retrieveVideo: async ({ params, caller }) =>
      describeVideo(await findVideo(context, params.video_id, caller, READ)),
    deleteVideo: async ({ params, headers, request }) => {
      const { id } = await deleteVideo(context, request, () =>
        findVideo(context, params.video_id, authenticateAgain(context, headers), WRITE),
      );
      return { id, object: "video.deleted", deleted: true };
    },
  };
}

export function videoStreams(context: TaskRoutesContext): Pick<RawHandlers, "retrieveVideoContent"> {
  return {
    async retrieveVideoContent(requestContext, caller, params) {
      const { video_id = "" } = params;
      const { searchParams } = requestContext.url;
      const { query } = videoOperations.retrieveVideoContent;
      if (query) parseWith(query, Object.fromEntries(searchParams));
      const task = await findVideo(context, video_id, caller, READ);
      refuseContent(caller, task);
      const [file] = task.files;
      const storedFile = file && (await context.outputFiles.open(task.id, 0));
      if (!file || !storedFile) throw notFound("file yet of the video", video_id, "video_id");
      const operation = videoOperations.retrieveVideoContent;
      const refuseLostAccess = followContent(context, requestContext.request, operation, task);
      return answerTaskFile(context, requestContext, { ...file, storedFile, refuseLostAccess });
    },
  };
}

/** @throws Refusal 404 if there is none that the caller may see, and once its file has been deleted. */
async function findVideo(
  context: TaskRoutesContext,
  id: string,
  caller: Caller,
  permission: typeof READ | typeof WRITE,
): Promise<TaskRecord> {
  const task = await findTask(context, id, caller, permission, { noun: "video", param: "video_id" });
  if (task.family === "video" && !task.areFilesDeleted) return task;
  throw notFound("video", id, "video_id");
}

type Ids =
  | "retrieveTaskCallback"
  | "sendTaskCallback"
  | "retrieveCallbackSecret"
  | "rotateCallbackSecret"
  | "sendTestCallback";

interface TaskCallbacksContext extends SecretContext, AuthenticationContext {
  readonly runtime: AuthenticationContext["runtime"];
  readonly tasks: TaskStore;
  readonly projects: ProjectStore;
  /** The gateway's secret, from which the projects' secrets are derived. */
  readonly secret: Uint8Array;
  /** Hosts at private addresses that callbacks may go to. */
  readonly callbackHosts: readonly string[];
}

export function taskCallbackRoutes(context: TaskCallbacksContext): Handlers<Ids> {
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

function describeSecret(
  { secret, runtime }: TaskCallbacksContext,
  projectId: string,
  current: SecretVersion,
) {
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
