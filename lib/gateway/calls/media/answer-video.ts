import type { Task } from "@/lib/contract/operations/tasks/task";
import { respondWithText } from "../../http/response";
import type { TaskStore } from "../../tasks/task-store.sql";
import { describeVideo } from "../../tasks/videos";

/**
 * Answers with the present state of a task in the form of OpenAI's videos. @param taskReply the reply that contains the
 * task.
 */
export async function answerVideo(
  { tasks }: { readonly tasks: Pick<TaskStore, "find"> },
  taskReply: Response,
): Promise<Response> {
  const { id } = (await taskReply.json()) as Task;
  const task = await tasks.find(id);
  if (!task) throw new Error(`There is no task ${id}`);
  return respondWithText(JSON.stringify(describeVideo(task)), { headers: taskReply.headers });
}
