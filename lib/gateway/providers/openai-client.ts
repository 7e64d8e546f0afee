import type { Secret } from "../ports/secret";
import { decompress } from "./decompress";
import type { ProviderClient } from "./provider-client";
import { reachHost } from "./reach-host";

/** An OpenAI-compatible server. `baseUrl` has no trailing slash and ends in `/v1` where the server has one. */
export function createOpenaiClient({
  baseUrl,
  apiKey,
}: {
  readonly baseUrl: string;
  readonly apiKey: Secret | null;
}): ProviderClient {
  const url = `${baseUrl}/chat/completions`;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    // Bytes are passed on as they come, so they have to come uncompressed.
    "accept-encoding": "identity",
    ...(apiKey && { authorization: `Bearer ${apiKey.reveal()}` }),
  };
  return {
    reach: (ms) => reachHost(baseUrl, ms),
    conceal: (text) => (apiKey ? text.replaceAll(apiKey.reveal(), "***") : text),
    complete: ({ body }, signal) =>
      fetch(url, {
        method: "POST",
        headers,
        body,
        signal,
        // Followed redirects would carry the provider's key to wherever they point.
        redirect: "manual",
        // The call's own deadlines end it.
        timeout: false,
        // It would be unpacked whole, however little of it is read.
        decompress: false,
      } as RequestInit).then(decompress),
  };
}
