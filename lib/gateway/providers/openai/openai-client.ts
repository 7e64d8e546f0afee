import { isIP } from "node:net";
import { Readable } from "node:stream";
import type { ResolveHost } from "../../outbound/allowed-addresses";
import { askModels } from "../ask-models";
import { CheckedHost } from "../checked-host";
import { Http1Client } from "../http1/http1-client";
import { type Endpoint, isStreamed, type ProviderClient, type ProviderRequest } from "../provider-client";
import type { ProviderServer } from "../provider-kind";
import { isBehindProxy, reachHost } from "../reach-host";
import { RespondedRequest } from "../responded-request";

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` where the server has one. */
export function createOpenaiClient(
  { baseUrl, apiKey, isTrusted }: ProviderServer,
  resolve?: ResolveHost,
): ProviderClient {
  const addressOf = (endpoint: Endpoint) => `${baseUrl}/${endpoint}`;
  const usual: Endpoint = "chat/completions";
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  const headers: Record<string, string> = {
    "content-type": "application/json",
    // Bytes are passed on as they arrive, so they must not be compressed.
    "accept-encoding": "identity",
    ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
  };
  const conceal = (text: string) => (apiKey ? text.replaceAll(apiKey.reveal(), "***") : text);
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, "");
  // Where a proxy connects, the proxy resolves the name and has to check the address.
  const isChecked = !isTrusted && !(isBehindProxy() && isIP(host) === 0);
  const checked = isChecked ? new CheckedHost(host, resolve) : null;
  const find = checked ? () => checked.address ?? checked.find() : undefined;
  const client = isBehindProxy() ? null : new Http1Client(addressOf(usual), headers, find);
  return {
    reach: async (ms) => reachHost(find ? at(baseUrl, await find()) : baseUrl, ms),
    conceal,
    ask: async (timeoutMs) => {
      const { "content-type": _, ...asked } = headers;
      return askModels({ baseUrl, headers: asked, address: find ? await find() : null, timeoutMs });
    },
    send: ({ endpoint, body, traceparent }) =>
      client?.post(body, { path: endpoint === usual ? undefined : `${basePath}/${endpoint}`, traceparent }) ??
      new RespondedRequest(async (signal) => {
        await find?.();
        const traced = traceparent === undefined ? headers : { ...headers, traceparent };
        const sent = isStreamed(body) ? { ...traced, "content-type": body.contentType } : traced;
        return fetchThroughProxy(addressOf(endpoint), sent, body, signal);
      }),
  };
}

/** Uses `fetch`, which supports proxies. */
function fetchThroughProxy(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: ProviderRequest["body"],
  signal: AbortSignal,
): Promise<Response> {
  return fetch(address, {
    method: "POST",
    headers,
    body: isStreamed(body) ? Readable.toWeb(Readable.from(body.read())) : body,
    signal,
    // A followed redirect would send the provider's key to another host.
    redirect: "manual",
    // The call has its own deadlines.
    timeout: false,
    // `fetch` would decompress the whole reply, however little of it is read.
    decompress: false,
  } as RequestInit);
}

/** The same URL with its host replaced by an IP address. */
function at(baseUrl: string, ip: string): string {
  const url = new URL(baseUrl);
  url.hostname = ip.includes(":") ? `[${ip}]` : ip;
  return url.href.replace(/\/+$/, "");
}
