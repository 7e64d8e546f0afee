import type { TaskApi } from "@/lib/contract/calls/task-api";
import { findPlaceholders } from "@/lib/contract/calls/task-template";
import { ServerConnection } from "../../http/outbound/server-connection";
import type { MediaOrder, OrderFault, ProviderKind } from "../media-client";
import { createTaskApiClient } from "./task-api-client";

/** Finds what a call asks for and the mapping has no place for, so that nothing is accepted and then left out. */
export function findOrderFault(
  { submit }: TaskApi,
  { count, size, isSizeFree, quality, extraFields }: Omit<MediaOrder, "model">,
): OrderFault | null {
  const placeholders = findPlaceholders([submit.path, submit.body]);
  const unsent = (field: string, what: string): OrderFault => ({
    field,
    message: `The provider of this model is not sent ${what}: leave ${field} out.`,
  });
  if (count > 1 && !placeholders.has("count")) return unsent("n", "a number of files");
  const hasSize = placeholders.has("size") || (placeholders.has("width") && placeholders.has("height"));
  if (size && !isSizeFree && !hasSize) return unsent("size", "a size");
  if (quality !== null && !placeholders.has("quality")) return unsent("quality", "a quality");
  if (placeholders.has("parameters")) return null;
  const other = Object.keys(extraFields).find((name) => !placeholders.has(`parameters.${name}`));
  return other === undefined ? null : unsent(other, "this field");
}

/** Any server with a task API that the configuration file maps (`TaskApi`). */
export const httpKind: ProviderKind = {
  createClient(server) {
    const connection = new ServerConnection(server, {});
    return { reach: (ms) => connection.reach(ms) };
  },
  files: {
    createClient: (server, clock) => createTaskApiClient(server, clock),
    findOrderFault: ({ taskApi }, order) => (taskApi ? findOrderFault(taskApi, order) : null),
  },
};
