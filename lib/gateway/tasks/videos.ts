import type { Video } from "@/lib/contract/operations/tasks/videos";
import { type ChangeRequest, change } from "../changes/change";
import { conflict } from "../refusal";
import { toNullableUnixSeconds, toUnixSeconds } from "../unix-seconds";
import type { TaskRecord } from "./task-store.sql";
import { deleteTaskFiles, type TaskFilesContext } from "./tasks";

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
