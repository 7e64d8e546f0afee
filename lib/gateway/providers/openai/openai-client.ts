import { isIP } from "node:net";
import { CheckedHost, type Resolve } from "../checked-host";
import { decompress } from "../decompress";
import type { ProviderClient, ProviderRequest } from "../provider-client";
import type { ProviderServer } from "../provider-kind";
import { isBehindProxy, reachHost } from "../reach-host";

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` where the server has one. */
export function createOpenaiClient(
  { baseUrl, apiKey, isTrusted }: ProviderServer,
  resolve?: Resolve,
): ProviderClient {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    // Bytes are passed on as they come, so they have to come uncompressed.
    "accept-encoding": "identity",
    ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
  };
  const post = (address: string, body: ProviderRequest["body"], signal: AbortSignal, host?: string) =>
    fetch(`${address}/chat/completions`, {
      method: "POST",
      headers: host === undefined ? headers : { ...headers, host },
      body,
      signal,
      // Followed redirects would carry the provider's key to wherever they point.
      redirect: "manual",
      // The call's own deadlines end it.
      timeout: false,
      // It would be unpacked whole, however little of it is read.
      decompress: false,
    } as RequestInit).then(decompress);
  const conceal = (text: string) => (apiKey ? text.replaceAll(apiKey.reveal(), "***") : text);
  const url = new URL(baseUrl);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // Where a proxy connects, it is the proxy that finds the name, and that has to refuse.
  if (isTrusted || (isBehindProxy() && isIP(host) === 0)) {
    return {
      reach: (ms) => reachHost(baseUrl, ms),
      conceal,
      complete: ({ body }, signal) => post(baseUrl, body, signal),
    };
  }
  const checked = new CheckedHost(host, resolve);
  // The address that was checked is the one called. Over TLS the certificate says who answers, and the name stays.
  const isPinned = url.protocol === "http:";
  const postTo = (found: string, body: ProviderRequest["body"], signal: AbortSignal) =>
    isPinned ? post(at(baseUrl, found), body, signal, url.host) : post(baseUrl, body, signal);
  return {
    reach: async (ms) => reachHost(at(baseUrl, await checked.find()), ms),
    conceal,
    complete: ({ body }, signal) => {
      const { address } = checked;
      if (address !== null) return postTo(address, body, signal);
      return checked.find().then((found) => postTo(found, body, signal));
    },
  };
}

/** The same address with an IP in the place of its host. */
function at(baseUrl: string, ip: string): string {
  const url = new URL(baseUrl);
  url.hostname = ip.includes(":") ? `[${ip}]` : ip;
  return url.href.replace(/\/+$/, "");
}
