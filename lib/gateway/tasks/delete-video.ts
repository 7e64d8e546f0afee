import { type ChangeRequest, change } from "../changes/change";
import { conflict } from "../refusal";
import { deleteFiles, type OldFilesContext } from "./delete-old-files";
import type { TaskRecord } from "./task-store";

/**
 * Deletes the file of a video for whoever asks. The event comes first: a deletion that is interrupted then leaves the
 * video, and can be repeated.
 * @param findVideo finds the video if the caller may delete it. It is called within the transaction.
 * @throws Refusal 409 for a video that is still being made.
 */
export async function deleteVideo(
  context: OldFilesContext,
  request: ChangeRequest,
  findVideo: () => Promise<TaskRecord>,
): Promise<TaskRecord> {
  const video = await change(context, request, async (transaction) => {
    const found = await findVideo();
    refuseUnfinished(found);
    await context.tasks.noteDeletedVideo(transaction, found);
    return found;
  });
  await deleteFiles(context, [video.id]);
  return video;
}

function refuseUnfinished({ id, endedAtMs }: TaskRecord): void {
  if (endedAtMs !== null) return;
  const message = `"${id}" is still being made. Cancel it first, at /v1/tasks/${id}/cancel.`;
  throw conflict("video_id", message, "in_use").with({ headers: { "x-should-retry": "false" } });
}
