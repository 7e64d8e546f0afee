import type { ProviderServer } from "./provider-kind";

/** Removes a server's key from text that the server wrote. */
export function concealKey(text: string, { apiKey }: Pick<ProviderServer, "apiKey">): string {
  return apiKey ? text.replaceAll(apiKey.reveal(), "***") : text;
}
