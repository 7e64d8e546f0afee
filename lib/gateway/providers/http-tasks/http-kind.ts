import { ServerConnection } from "../../http/outbound/server-connection";
import type { ProviderKind } from "../media-client";
import { findOrderFault } from "./find-order-fault";
import { createTaskApiClient } from "./task-api-client";

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
