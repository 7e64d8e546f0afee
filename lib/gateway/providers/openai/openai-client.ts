import type { ResolveHost } from "../../outbound/allowed-addresses";
import { askModels } from "../ask-models";
import type { ProviderClient } from "../provider-client";
import type { ProviderServer } from "../provider-kind";
import { reachHost } from "../reach-host";
import { OpenaiServer } from "./openai-server";

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` where the server has one. */
export function createOpenaiClient(options: ProviderServer, resolve?: ResolveHost): ProviderClient {
  const { baseUrl } = options;
  const server = new OpenaiServer(options, resolve);
  const { find } = server;
  return {
    reach: async (ms) => reachHost(find ? at(baseUrl, await find()) : baseUrl, ms),
    conceal: (text) => server.conceal(text),
    ask: async (timeoutMs) => {
      const { "content-type": _, ...headers } = server.headers;
      return askModels({ baseUrl, headers, address: find ? await find() : null, timeoutMs });
    },
    send: ({ endpoint, body, traceparent }) =>
      server.send({ method: "POST", path: endpoint, body, traceparent }),
  };
}

/** The same URL with its host replaced by an IP address. */
function at(baseUrl: string, ip: string): string {
  const url = new URL(baseUrl);
  url.hostname = ip.includes(":") ? `[${ip}]` : ip;
  return url.href.replace(/\/+$/, "");
}
