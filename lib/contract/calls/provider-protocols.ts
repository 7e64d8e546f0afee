/** The protocols of servers: chat completions, Anthropic's messages, and responses, in which no call is sent yet. */
export const providerProtocols = ["chat", "messages", "responses"] as const;
export type ProviderProtocol = (typeof providerProtocols)[number];

/** The protocols in which calls are sent. */
export type CallProtocol = Exclude<ProviderProtocol, "responses">;

/**
 * How a server is shown the key: as `Authorization: Bearer`, in a header of that name, or as a signature of AWS. Its
 * key is `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, and `:SESSION_TOKEN` for a temporary one.
 */
export const providerAuths = ["bearer", "x-api-key", "api-key", "sigv4"] as const;
export type ProviderAuth = (typeof providerAuths)[number];

/** Whether calls can be sent to a server that speaks these. */
export function isCallable(protocols: readonly ProviderProtocol[]): boolean {
  return protocols.includes("chat") || protocols.includes("messages");
}
