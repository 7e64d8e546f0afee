import type { FileStorage } from "../files/file-storage";
import type { MediaOrder, OrderInput } from "../providers/media-client";
import type { ClaimedTask } from "./task-claims";

/** An order without the model's name, which its route decides. */
export type StoredOrder = Omit<MediaOrder, "model">;

/** The files that orders start from, stored under the id of the request from its arrival to the task's end. */
interface InputContext {
  readonly inputFiles: Pick<FileStorage, "open">;
}

/** An order as it is stored, where earlier versions named the extra fields `further`. */
type OrderRow = Omit<StoredOrder, "inputs" | "extraFields"> & {
  readonly further: StoredOrder["extraFields"];
  readonly inputs?: readonly OrderInput[];
};

/** @param inputs the stored pictures that the order starts from. */
export function serializeOrder(
  { extraFields, ...order }: Omit<StoredOrder, "inputs">,
  inputs?: readonly OrderInput[],
): string {
  return JSON.stringify({ ...order, further: extraFields, ...(inputs && { inputs }) } satisfies OrderRow);
}

/** Reads a task's order and opens its pictures; null if the order can't be decrypted or a picture is missing. */
export async function readStoredOrder(
  { inputFiles }: InputContext,
  { input, requestId }: Pick<ClaimedTask, "input" | "requestId">,
): Promise<StoredOrder | null> {
  if (input === null) return null;
  const { inputs, further, ...row } = JSON.parse(input) as OrderRow;
  const order = { ...row, extraFields: further };
  if (!inputs) return order;
  const files = await Promise.all(inputs.map((_, position) => inputFiles.open(requestId, position)));
  const openedInputs = inputs.flatMap((storedInput, position) => {
    const file = files[position];
    return file?.bytes === storedInput.bytes
      ? [{ ...storedInput, read: () => file.read(0, file.bytes) }]
      : [];
  });
  return openedInputs.length === inputs.length ? { ...order, inputs: openedInputs } : null;
}
