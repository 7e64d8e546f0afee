import { invalid } from "../refusal";
import type { BatchSize } from "./admit-batch";
import { type Checked, type CheckLinesContext, checkLines } from "./check-lines";
import { type LineCallerContext, lineCaller } from "./line-caller";

export interface CheckContext extends CheckLinesContext, LineCallerContext {}

/**
 * Checks that a caller may make a batch of a file, and every line of it.
 * @throws Refusal 400 naming the first wrong line, 401 or 403.
 */
export async function checkFile(context: CheckContext, checked: Checked): Promise<BatchSize> {
  const { caller, projectId, file, endpoint } = checked;
  if (file.purpose !== "batch" || file.projectId !== projectId) {
    const message = `"${file.id}" is no file of this project with the purpose "batch". Upload it as one.`;
    throw invalid("input_file_id", message);
  }
  // Lines are called after this request: their caller may hold other permissions than a session does.
  lineCaller(context, { keyId: caller.keyId, projectId, endpoint });
  return checkLines(context, checked);
}
