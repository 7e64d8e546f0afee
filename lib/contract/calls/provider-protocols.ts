import type { ModelFamily } from "./model-families";

/** The protocols in which calls are sent to servers: chat completions, Anthropic's messages, and OpenAI's responses. */
export const providerProtocols = ["chat", "messages", "responses"] as const;
export type ProviderProtocol = (typeof providerProtocols)[number];

/**
 * How a server is shown the key: as `Authorization: Bearer`, in a header of that name, or as a signature of AWS. Its
 * key is `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and `:SESSION_TOKEN` for a temporary one.
 */
export const providerAuths = ["bearer", "x-api-key", "api-key", "sigv4"] as const;
export type ProviderAuth = (typeof providerAuths)[number];

/** Whether a server that speaks these can be asked for this family. Messages are of chat alone. */
export function canAsk(protocols: readonly ProviderProtocol[], family: ModelFamily): boolean {
  return family === "chat" || protocols.includes("chat");
}

/** Whether calls can be sent to a server that speaks these. */
export function isCallable(protocols: readonly ProviderProtocol[]): boolean {
  return protocols.includes("chat") || protocols.includes("messages");
}
