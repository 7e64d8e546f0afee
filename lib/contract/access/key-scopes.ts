/**
 * The endpoints that a key can be limited to. A key for batches also needs the endpoint that the lines call, and the
 * files endpoint for their files.
 */
export const keyEndpoints = [
  "chat_completions",
  "messages",
  "responses",
  "embeddings",
  "images",
  "videos",
  "moderations",
  "audio",
  "files",
  "batches",
] as const;
export type KeyEndpoint = (typeof keyEndpoints)[number];

/** The endpoints of chat models: OpenAI's chat completions, Anthropic's messages, and OpenAI's responses. */
export const chatEndpoints = [
  "chat_completions",
  "messages",
  "responses",
] as const satisfies readonly KeyEndpoint[];
export type ChatEndpoint = (typeof chatEndpoints)[number];

/** Which limited keys may call an operation: those with one of these endpoints in their scope, or all. */
export type LimitedKeys = readonly KeyEndpoint[] | "all";

/** The endpoints of a key that is limited to models alone: those that name a model. */
export const modelEndpoints = keyEndpoints.filter(
  (endpoint) => endpoint !== "files" && endpoint !== "batches",
);

/** Whether a key that is limited to these endpoints may call an operation. Null means no limit. */
export function isEndpointOpen(
  endpoints: readonly KeyEndpoint[] | null,
  { limitedKeys }: { readonly limitedKeys?: LimitedKeys | undefined },
): boolean {
  if (endpoints === null || limitedKeys === "all") return true;
  return limitedKeys?.some((endpoint) => endpoints.includes(endpoint)) ?? false;
}
