import type { MediaOrder, OrderInput } from "../providers/media-client";
import type { OutputFiles } from "../tasks/output-files";
import type { ClaimedTask } from "../tasks/task-claims";

/** An order without the model's name, which its route decides. */
export type StoredOrder = Omit<MediaOrder, "model">;

/** The files that orders start from, stored under the id of the request from its arrival to the task's end. */
export interface InputContext {
  readonly inputFiles: Pick<OutputFiles, "open">;
}

/** Reads a task's order and opens its pictures; null where the order can't be decrypted or a picture is missing. */
export async function readStoredOrder(
  { inputFiles }: InputContext,
  { input, requestId }: Pick<ClaimedTask, "input" | "requestId">,
): Promise<StoredOrder | null> {
  if (input === null) return null;
  const { inputs, ...order } = JSON.parse(input) as Omit<StoredOrder, "inputs"> & {
    readonly inputs?: readonly OrderInput[];
  };
  if (!inputs) return order;
  const files = await Promise.all(inputs.map((_, position) => inputFiles.open(requestId, position)));
  const opened = inputs.flatMap((described, position) => {
    const file = files[position];
    return file?.bytes === described.bytes ? [{ ...described, read: () => file.read(0, file.bytes) }] : [];
  });
  return opened.length === inputs.length ? { ...order, inputs: opened } : null;
}
