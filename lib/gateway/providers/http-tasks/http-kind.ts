import { ServerConnection } from "../../outbound/server-connection";
import { estimateInputs } from "../prompt-size/estimate-inputs";
import { estimatePrompt } from "../prompt-size/estimate-prompt";
import type { ProviderKind } from "../provider-kind";
import { findOrderFault } from "./find-order-fault";
import { createTaskApiClient } from "./task-api-client";

/** Any server with a task API that the configuration file maps (`TaskApi`). */
export const httpKind: ProviderKind = {
  createClient(server) {
    const connection = new ServerConnection(server, {});
    return {
      reach: (ms) => connection.reach(ms),
      send() {
        throw new Error(
          "A provider of the kind http makes files. No model of another family may lead to it.",
        );
      },
    };
  },
  createMediaClient: (server) => createTaskApiClient(server),
  findOrderFault: ({ taskApi }, order) => (taskApi ? findOrderFault(taskApi, order) : null),
  defaultOutputLimitField: () => "max_tokens",
  estimatePrompt,
  estimateInputs,
  isTokenPerEvent: false,
};
