import type { Task } from "@/lib/contract/operations/tasks/task";
import type { Video } from "@/lib/contract/operations/tasks/videos";
import { formatAmount } from "@/lib/money/amount";
import { PARTS_PER_UNIT } from "@/lib/money/charge";
import { type ChangeContext, type ChangeRequest, change, systemChange } from "../changes/change";
import { type Clock, toNullableUnixSeconds, toUnixSeconds } from "../clock";
import type { FileStorage } from "../files/file-storage";
import { conflict } from "../refusal";
import type { TaskRecord, TaskStore } from "./task-store.sql";

/** A task as the API and callbacks show it. */
export function describeTask(task: TaskRecord, currency: string): Task {
  const {
    id,
    requestId,
    projectId,
    model,
    family,
    status,
    progress,
    error,
    files,
    charged: chargedUnits,
  } = task;
  return {
    id,
    object: "task",
    model,
    status,
    created: toUnixSeconds(task.createdAtMs),
    request_id: requestId,
    project_id: projectId,
    family,
    progress,
    started_at: toNullableUnixSeconds(task.startedAtMs),
    ended_at: toNullableUnixSeconds(task.endedAtMs),
    cancel_requested: task.isCancelRequested,
    provider_state: task.isStateUnknown ? "unknown" : "known",
    usage: chargedUnits && {
      unit: chargedUnits.unit,
      quantity: chargedUnits.units / PARTS_PER_UNIT,
      amount: formatAmount(chargedUnits.amount),
      currency,
    },
    error,
    output: files.map(({ type, mimeType, bytes }, position) => ({
      type,
      mime_type: mimeType,
      bytes,
      url: task.areFilesDeleted ? null : `/v1/tasks/${id}/output/${position}`,
    })),
  };
}

/** The body of the callback for a task that has ended: JSON. */
export function writeEndedMessage(task: TaskRecord, currency: string): string {
  return JSON.stringify({
    type: `task.${task.status}`,
    timestamp: new Date(task.endedAtMs ?? task.createdAtMs).toISOString(),
    data: describeTask(task, currency),
  });
}

export interface CancelContext extends ChangeContext {
  readonly tasks: TaskStore;
  readonly runtime: { readonly clock: Clock };
  /** Makes the worker look for due tasks at once. */
  workOnTasks(): void;
}

/**
 * Requests the cancellation of a task. The process that works on it tells the provider, and ends the task once the
 * provider has answered. A repeated request changes nothing.
 * @param findTask finds the task if the caller may cancel it. It is called within the transaction.
 * @throws Refusal 409 for a task that has ended.
 */
export async function requestCancellation(
  context: CancelContext,
  request: ChangeRequest,
  findTask: () => Promise<TaskRecord>,
): Promise<TaskRecord> {
  const { tasks, runtime } = context;
  const task = await change(context, request, async (transaction) => {
    const found = await findTask();
    refuseEnded(found);
    await tasks.requestCancel(transaction, found.id, runtime.clock.nowMs());
    return found;
  });
  context.workOnTasks();
  return (await tasks.find(task.id)) ?? task;
}

function refuseEnded({ id, status, endedAtMs }: TaskRecord): void {
  if (endedAtMs === null) return;
  const message = `The task "${id}" has ended: it ${status === "canceled" ? "was canceled" : status}.`;
  throw conflict("task_id", message, "task_ended");
}

const BATCH_SIZE = 100;

interface TaskFilesContext extends ChangeContext {
  readonly tasks: TaskStore;
  readonly outputFiles: FileStorage;
  readonly runtime: { readonly clock: Clock };
}

/**
 * Deletes the files of tasks that have ended: files first, rows after them, so that an interrupted run is found and
 * finished later.
 */
async function deleteTaskFiles(context: TaskFilesContext, ids: readonly string[]): Promise<void> {
  const { tasks, outputFiles, runtime } = context;
  for (const id of ids) await outputFiles.delete(id);
  const nowMs = runtime.clock.nowMs();
  await systemChange(context, "task", (transaction) => tasks.noteFilesDeleted(transaction, ids, nowMs));
}

/** Deletes the files of tasks that ended longer than `keptMs` ago. */
export async function deleteOldTaskFiles(context: TaskFilesContext, keptMs: number): Promise<void> {
  const { tasks, runtime } = context;
  const nowMs = runtime.clock.nowMs();
  for (let isMore = true; isMore; ) {
    const ids = await tasks.listWithFiles(nowMs - keptMs, BATCH_SIZE);
    if (ids.length === 0) return;
    await deleteTaskFiles(context, ids);
    isMore = ids.length === BATCH_SIZE;
  }
}

const statuses = {
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "failed",
} as const;
const CANCELED = { code: "canceled", message: "The task was canceled. It cost nothing." };

/** A video model's task in the form of OpenAI's API. */
export function describeVideo({ id, model, status, progress, error, settings, ...times }: TaskRecord): Video {
  const endedAt = toNullableUnixSeconds(times.endedAtMs);
  return {
    id,
    object: "video",
    model,
    status: statuses[status],
    progress: progress ?? 0,
    created_at: toUnixSeconds(times.createdAtMs),
    completed_at: status === "succeeded" ? endedAt : null,
    expires_at: null,
    seconds: settings === null || settings.seconds === null ? null : String(settings.seconds),
    size: settings?.size ?? null,
    prompt: null,
    remixed_from_video_id: null,
    error: status === "canceled" ? CANCELED : error,
  };
}

/**
 * Deletes the file of a video for whoever asks. The event comes first: a deletion that is interrupted then leaves the
 * video, and can be repeated.
 * @param findVideo finds the video if the caller may delete it. It is called within the transaction.
 * @throws Refusal 409 for a video that is still being made.
 */
export async function deleteVideo(
  context: TaskFilesContext,
  request: ChangeRequest,
  findVideo: () => Promise<TaskRecord>,
): Promise<TaskRecord> {
  const video = await change(context, request, async (transaction) => {
    const found = await findVideo();
    refuseUnfinished(found);
    await context.tasks.noteDeletedVideo(transaction, found);
    return found;
  });
  await deleteTaskFiles(context, [video.id]);
  return video;
}

function refuseUnfinished({ id, endedAtMs }: TaskRecord): void {
  if (endedAtMs !== null) return;
  const message = `"${id}" is still being made. Cancel it first, at /v1/tasks/${id}/cancel.`;
  throw conflict("video_id", message, "in_use").with({ headers: { "x-should-retry": "false" } });
}
