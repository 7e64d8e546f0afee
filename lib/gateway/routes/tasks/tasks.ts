import { taskOperations } from "@/lib/contract/operations/tasks/tasks";
import { videoOperations } from "@/lib/contract/operations/tasks/videos";
import { type AuthenticationContext, authenticate, authenticateAgain } from "../../access/authenticate";
import { authorizeAgain, listVisibleProjects, narrowTo, refuseContent } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import type { FileStorage, StoredFile } from "../../files/file-storage";
import { answerEvents, type OpenStreams } from "../../http/open-streams";
import { parseWith } from "../../http/parse-with";
import { noSniffing } from "../../http/refuse";
import type { RequestContext } from "../../http/server";
import type { RequestLogReader } from "../../log/requests/request-log-reader.sql";
import { notFound } from "../../refusal";
import type { TaskFile, TaskRecord } from "../../tasks/task-store.sql";
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
