import type { Task } from "@/lib/contract/operations/tasks";
import { describeVideo } from "../tasks/describe-video";
import type { TaskStore } from "../tasks/task-store";

/** The video that the task of `made` makes, as it is now, as OpenAI's API has it. */
export async function answerVideo(
  { tasks }: { readonly tasks: Pick<TaskStore, "find"> },
  made: Response,
): Promise<Response> {
  const { id } = (await made.json()) as Task;
  const task = await tasks.find(id);
  if (!task) throw new Error(`There is no task ${id}`);
  return new Response(JSON.stringify(describeVideo(task)), { headers: made.headers });
}
