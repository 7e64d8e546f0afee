import { videoOperations } from "@/lib/contract/operations/tasks/videos";
import { authenticateAgain } from "../../access/authenticate";
import { listVisibleProjects, refuseContent } from "../../access/authorize";
import type { Caller } from "../../access/caller";
import { parseWith } from "../../http/parse-with";
import { notFound } from "../../refusal";
import type { TaskRecord } from "../../tasks/task-store.sql";
import { deleteVideo, describeVideo } from "../../tasks/videos";
import { followContent } from "../follow-content";
import type { Handlers, RawHandlers } from "../handler";
import { paginate } from "../paginate";
import { findTask, listVisibleKeyIds } from "../visible-work";
import { answerTaskFile, type TaskRoutesContext } from "./tasks";

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
