import { setTimeout as rest } from "node:timers/promises";
import { taskOperations } from "@/lib/contract/operations/tasks";
import type { Permission } from "@/lib/contract/permissions";
import { type AuthenticationContext, authenticate, authenticateAgain } from "../../access/authenticate";
import type { Caller } from "../../access/caller";
import { followAccess } from "../../access/follow-access";
import { refuseContent } from "../../access/refuse-content";
import { narrowTo, visibleProjects } from "../../access/visible-projects";
import { findVisible, isVisible, visibleKeyIds } from "../../access/visible-work";
import { answerEvents } from "../../http/answer-events";
import type { Exchange } from "../../http/exchange";
import { noSniffing } from "../../http/refuse";
import type { IncomingRequest } from "../../incoming-request";
import { notFound } from "../../refusal";
import { type CancelContext, cancelTask } from "../../tasks/cancel-task";
import { describeTask } from "../../tasks/describe-task";
import type { OutputFiles, StoredFile } from "../../tasks/output-files";
import type { TaskFile, TaskRecord } from "../../tasks/task-store";
import type { Handlers, RawHandlers } from "../handler";
import { paginate } from "../paginate";
import { answerFile } from "./answer-file";

export interface TaskRoutesContext extends CancelContext, AuthenticationContext {
  readonly effects: AuthenticationContext["effects"];
  readonly outputFiles: OutputFiles;
  readonly organization: { readonly currency: string };
  logFault(requestId: string, error: unknown): void;
}

const POLL_MS = 250;
/** A stream ends by itself; clients connect again. */
const MAX_POLLS = 120;

export function taskRoutes(
  context: TaskRoutesContext,
): Handlers<"listTasks" | "retrieveTask" | "cancelTask"> {
  const describe = (task: TaskRecord) => describeTask(task, context.organization.currency);
  return {
    listTasks: ({ query, caller }) => {
      const { project_id, status, model, ...page } = query;
      const visible = visibleProjects(context.graph, caller, "api.tasks.read");
      const keyIds = visibleKeyIds(context, caller);
      const filter = { projectIds: narrowTo(visible, project_id), keyIds, status, model };
      return paginate(context.tasks.pages(filter), page, describe);
    },
    retrieveTask: async ({ params, caller }) =>
      describe(await findTask(context, params.task_id, caller, "api.tasks.read")),
    cancelTask: async ({ params, headers, request }) =>
      describe(
        await cancelTask(context, request, () =>
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
    async streamTaskEvents(exchange, caller, { task_id = "" }) {
      await findTask(context, task_id, caller, "api.tasks.read");
      return streamEvents(context, exchange, task_id, async (one, task) =>
        isVisible(context, one, "api.tasks.read", task),
      );
    },
    async retrieveTaskOutput(exchange, caller, params) {
      const { task_id = "", position = "" } = params;
      const follow = followAccess(context, exchange.request, taskOperations.retrieveTaskOutput, params);
      const task = await findTask(context, task_id, caller, "api.tasks.read");
      refuseContent(caller, task);
      return answerOutput(context, exchange, {
        task,
        position,
        mayGoOn: () => refuseContent(follow(), task),
      });
    },
  };
}

/** @throws Refusal 404 if the caller may see no such task. */
export function findTask(
  context: Pick<TaskRoutesContext, "tasks" | "graph" | "keyMirror">,
  id: string,
  caller: Caller,
  permission: Permission,
  { noun, param } = { noun: "task", param: "task_id" },
): Promise<TaskRecord> {
  return findVisible(context, caller, id, { store: context.tasks, noun, param, permission });
}

type MaySee = (caller: Caller, task: TaskRecord) => Promise<boolean>;

/** Answers with a task's changes as server-sent events. */
export function streamEvents(
  context: TaskRoutesContext,
  exchange: Exchange,
  id: string,
  maySee: MaySee,
): Response {
  return answerEvents(streamTask(context, id, exchange.request, maySee), {
    headers: { "x-request-id": exchange.requestId, "cache-control": "no-store", ...noSniffing },
    logFault: (error) => context.logFault(exchange.requestId, error),
  });
}

/** Yields the task, then each change of it; undefined if nothing changed. Ends when the caller loses access. */
async function* streamTask(
  context: TaskRoutesContext,
  id: string,
  { headers, signal }: IncomingRequest,
  maySee: MaySee,
) {
  const { tasks, organization } = context;
  let lastText = "";
  for (let polls = 0; polls < MAX_POLLS && !signal.aborted; polls++) {
    if (polls > 0) await rest(POLL_MS, undefined, { signal }).catch(() => undefined);
    const task = await tasks.find(id);
    const caller = authenticate(context, headers);
    if (!task || !caller || !(await maySee(caller, task))) return;
    const description = describeTask(task, organization.currency);
    const text = JSON.stringify(description);
    yield text === lastText ? undefined : description;
    lastText = text;
    if (task.endedAtMs !== null) return;
  }
}

interface Output {
  readonly task: TaskRecord;
  readonly position: string;
  /** @throws Refusal once the caller may no longer read the file. */
  mayGoOn(): void;
}

/** @throws Refusal 404 if the task made no such file, or it has been deleted. */
export async function answerOutput(
  { outputFiles }: Pick<TaskRoutesContext, "outputFiles">,
  exchange: Exchange,
  { task, position, mayGoOn }: Output,
): Promise<Response> {
  const file = /^\d{1,3}$/.test(position) ? task.files[Number(position)] : undefined;
  const storedFile = file && (await outputFiles.open(task.id, Number(position)));
  if (!file || !storedFile) throw notFound("file", `${task.id}/output/${position}`, "position");
  return answerTaskFile(exchange, file, storedFile, mayGoOn);
}

/** A file that a task made, or the part of it that the request asks for. Breaks off if `mayGoOn` throws. */
export function answerTaskFile(
  exchange: Exchange,
  { mimeType }: TaskFile,
  file: StoredFile,
  mayGoOn: () => void,
): Response {
  const headers = {
    "content-type": mimeType,
    // A task's output never changes.
    "cache-control": "private, max-age=31536000, immutable",
    // A provider chose the content, so the browser must not run it as a page.
    "content-security-policy": "sandbox; default-src 'none'",
    ...noSniffing,
  };
  return answerFile(exchange, { file, headers, mayGoOn });
}
