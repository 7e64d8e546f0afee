import { invalid } from "../refusal";
import type { BatchSize } from "./admit-batch";
import { type CheckedBatch, type CheckLinesContext, checkLines } from "./lines/check-lines";
import { describeLineCaller, type LineCallerContext } from "./lines/describe-line-caller";

export interface CheckContext extends CheckLinesContext, LineCallerContext {}

/**
 * Checks that a caller may create a batch of a file, and validates every line.
 * @throws Refusal 400 naming the first invalid line, 401 or 403.
 */
export async function checkFile(context: CheckContext, batch: CheckedBatch): Promise<BatchSize> {
  const { caller, projectId, file, endpoint } = batch;
  if (file.purpose !== "batch" || file.projectId !== projectId) {
    const message = `"${file.id}" is no file of this project with the purpose "batch". Upload it as one.`;
    throw invalid("input_file_id", message);
  }
  // Lines run after this request, so check the permissions of the key itself, which may differ from a session's.
  describeLineCaller(context, { keyId: caller.keyId, projectId, endpoint });
  return checkLines(context, batch);
}
