import { parseJson } from "@/lib/contract/json-value";
import { operations } from "@/lib/contract/operation-table";
import { type Task, task as taskSchema } from "@/lib/contract/operations/tasks/task";
import { buildRefusal, buildUnreachable } from "../gateway/build-failure";
import type { Connection } from "../gateway/gateway-request";
import { createProblem } from "../gateway/problem";
import { readReply } from "../gateway/read-reply";
import { dispatch, openReply, sendRequest } from "../gateway/send-request";
import type { ChatEvent } from "./chat-event";
import { describeRawReply, formatJson } from "./open-answer";
import { readEventStream } from "./read-event-stream";

/** Each stream of a task begins with the task. More streams than this without one come from something else. */
const MAX_SILENT_STREAMS = 2;

type TaskCall = {
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * Creates a task and follows it to its end.
 * @throws when the signal aborts.
 */
export async function* createTask(
  connection: Connection,
  call: TaskCall,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const operation = operations.createChatCompletion;
  // The signal doesn't abort it: the task might have been created, and nobody would know its id.
  const response = await dispatch(connection, operation, call).catch((error: unknown) =>
    buildUnreachable(connection, error),
  );
  if (!(response instanceof Response)) {
    yield { type: "problem", problem: response };
    return;
  }
  const reply = await readReply(response).catch(() => undefined);
  const created = response.ok ? taskSchema.safeParse(reply) : null;
  if (signal.aborted) {
    if (created?.success) await cancel(connection, created.data.id);
    return;
  }
  if (response.ok) yield { type: "start", requestId: response.headers.get("x-request-id"), maxTokens: null };
  yield describeRawReply(response, formatJson(reply));
  if (!created) yield { type: "problem", problem: buildRefusal(response, reply, operation, call) };
  else if (created.success) yield* followTask(connection, created.data, signal);
  else yield { type: "problem", problem: createProblem("failed", "The gateway answered with no task.") };
}

/**
 * Reports a task each time it has changed, until it has ended.
 * @throws when the signal aborts.
 */
export async function* followTask(
  connection: Connection,
  task: Pick<Task, "id"> & Partial<Task>,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  if (task.status !== undefined) yield { type: "output", output: { kind: "task", task: task as Task } };
  const operation = operations.streamOwnTaskEvents;
  const request = { params: { task_id: task.id }, signal };
  let silentStreams = 0;
  // The gateway ends each stream after a while.
  while (silentStreams < MAX_SILENT_STREAMS) {
    if (signal.aborted) return;
    const reply = await openReply(connection, operation, request, "text/event-stream");
    signal.throwIfAborted();
    if (!reply.ok) {
      yield { type: "problem", problem: reply.problem };
      return;
    }
    silentStreams += 1;
    try {
      for await (const update of readTasks(reply.data)) {
        silentStreams = 0;
        yield { type: "output", output: { kind: "task", task: update } };
        if (update.ended_at !== null) return;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      yield { type: "problem", problem: buildUnreachable(connection, error) };
      return;
    }
  }
  const message =
    "The gateway no longer says how far this task is. The task goes on: look for it under Tasks.";
  yield { type: "problem", problem: createProblem("failed", message) };
}

async function* readTasks({ body }: Response): AsyncGenerator<Task> {
  if (!body) return;
  for await (const data of readEventStream(body)) {
    const update = taskSchema.safeParse(parseJson(data));
    if (update.success) yield update.data;
  }
}

async function cancel(connection: Connection, taskId: string): Promise<void> {
  await sendRequest(connection, operations.cancelOwnTask, { params: { task_id: taskId } });
}
