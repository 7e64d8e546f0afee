import type { ProviderServer } from "./media-client";

/** Removes a server's key from text that the server wrote. */
export function concealKey(text: string, { apiKey }: Pick<ProviderServer, "apiKey">): string {
  return apiKey ? text.replaceAll(apiKey.reveal(), "***") : text;
}
