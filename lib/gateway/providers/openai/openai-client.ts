import type { ResolveHost } from "../../outbound/allowed-addresses";
import { askModels } from "../ask-models";
import type { ProviderClient } from "../provider-client";
import type { ProviderServer } from "../provider-kind";
import { OpenaiServer } from "./openai-server";

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` if the server has one. */
export function createOpenaiClient(options: ProviderServer, resolve?: ResolveHost): ProviderClient {
  const { baseUrl } = options;
  const server = new OpenaiServer(options, resolve);
  const { connection } = server;
  return {
    reach: (ms) => connection.reach(ms),
    conceal: (text) => server.conceal(text),
    ask: async (timeoutMs) => {
      const { "content-type": _, ...headers } = server.headers;
      const address = connection.find ? await connection.find() : null;
      return askModels({ baseUrl, headers, address, timeoutMs });
    },
    send: ({ endpoint, body, traceparent }) =>
      server.send({ method: "POST", path: endpoint, body, traceparent }),
  };
}
