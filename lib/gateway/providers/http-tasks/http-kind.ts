import { estimateInputs } from "../prompt-size/estimate-inputs";
import { estimatePrompt } from "../prompt-size/estimate-prompt";
import type { ProviderKind } from "../provider-kind";
import { RespondedRequest } from "../responded-request";
import { ServerConnection } from "../server-connection";
import { findOrderFault } from "./find-order-fault";
import { createTaskApiClient } from "./task-api-client";

const noChats = { error: { message: "This provider makes files, and answers no other calls." } };

/** Any server with a task API that the configuration file maps (`TaskApi`). */
export const httpKind: ProviderKind = {
  createClient(server) {
    const connection = new ServerConnection(server, {});
    return {
      reach: (ms) => connection.reach(ms),
      send: () => new RespondedRequest(async () => Response.json(noChats, { status: 404 })),
    };
  },
  answersCalls: false,
  createMediaClient: (server) => createTaskApiClient(server),
  findOrderFault: ({ taskApi }, order) => (taskApi ? findOrderFault(taskApi, order) : null),
  defaultOutputLimitField: () => "max_tokens",
  estimatePrompt,
  estimateInputs,
  isTokenPerEvent: false,
};
