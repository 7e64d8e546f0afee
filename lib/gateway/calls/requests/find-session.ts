import { isObject } from "@/lib/contract/json-value";
import type { RequestHeaders } from "../../request-headers";

/** By which clients name a session, so that a provider keeps it where its prompt is cached. */
export const sessionHeaders = [
  "x-session-id",
  "session-id",
  "session_id",
  "x-session-affinity",
  "conversation_id",
];

/** The session of a call, by its headers or its body; null where nothing tells calls of one from others. */
export function findSession({
  headers,
  request,
}: {
  readonly headers?: RequestHeaders;
  readonly request: { readonly session?: string | null };
}): string | null {
  for (const name of [...sessionHeaders, "x-claude-code-session-id"]) {
    const value = headers?.get(name);
    if (value) return `${name}: ${value}`;
  }
  return request.session ?? null;
}

/** How many messages tell conversations from each other: with one, all that share a system prompt would be the same. */
const TELLING_MESSAGES = 2;

/** The session that a body names, else what its conversation begins with; null for a body without messages. */
export function findBodySession(body: Readonly<Record<string, unknown>>): string | null {
  const { previous_response_id, conversation, prompt_cache_key, metadata, system } = body;
  const { messages, input: said = messages, instructions = system } = body;
  const user = isObject(metadata) ? metadata.user_id : undefined;
  const conversationId = isObject(conversation) ? conversation.id : conversation;
  for (const name of [previous_response_id, conversationId, prompt_cache_key, user])
    if (typeof name === "string" && name !== "") return name;
  if (typeof said !== "string" && !Array.isArray(said)) return null;
  const begun = typeof said === "string" ? said : said.slice(0, TELLING_MESSAGES);
  return String(Bun.hash(JSON.stringify([instructions, begun])));
}
