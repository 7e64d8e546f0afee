import "server-only";
import { operations } from "@/lib/contract/operation-table";
import { chooseFileEnding } from "./download-name";
import { forwardFile } from "./forward-file";

/**
 * Serves a task's file by `task_id` and `position`, whole or in the requested `Range`. It plays in `<img>`, `<video>`
 * and `<audio>`; opened directly it is downloaded, so that a provider's content never becomes a page.
 */
export async function answerOutput(request: Request): Promise<Response> {
  const asksFor = new URL(request.url).searchParams;
  const [taskId, position] = [asksFor.get("task_id") ?? "", asksFor.get("position") ?? ""];
  const isNamed = /^[\w-]+$/.test(taskId) && /^\d{1,3}$/.test(position);
  return forwardFile(request, {
    // Somebody who may only use the playground may see the files that they made.
    operations: [operations.retrieveOwnTaskOutput, operations.retrieveTaskOutput],
    params: isNamed ? { task_id: taskId, position } : null,
    missingMessage: "A task made no such file.",
    nameFile: (type) => `${taskId}-${position}${chooseFileEnding(type)}`,
  });
}
