import type { TaskApi } from "@/lib/contract/task-api";
import { placeholdersIn } from "@/lib/contract/task-template";
import type { MediaOrder } from "../media-client";
import type { OrderFault } from "../provider-kind";

/** Finds what a call asks for and the mapping has no place for, so that nothing is accepted and then left out. */
export function findOrderFault(
  { submit }: TaskApi,
  { count, size, isSizeFree, quality, further }: Omit<MediaOrder, "model">,
): OrderFault | null {
  const sent = placeholdersIn([submit.path, submit.body]);
  const unsent = (field: string, what: string): OrderFault => ({
    field,
    message: `The provider of this model is not sent ${what}: leave ${field} out.`,
  });
  if (count > 1 && !sent.has("count")) return unsent("n", "a number of files");
  const hasSize = sent.has("size") || (sent.has("width") && sent.has("height"));
  if (size && !isSizeFree && !hasSize) return unsent("size", "a size");
  if (quality !== null && !sent.has("quality")) return unsent("quality", "a quality");
  if (sent.has("parameters")) return null;
  const other = Object.keys(further).find((name) => !sent.has(`parameters.${name}`));
  return other === undefined ? null : unsent(other, "this field");
}
