import type { CallProtocol } from "@/lib/contract/calls/provider-protocols";
import type { RequestHeaders } from "../../request-headers";

/** By which clients name a session, so that a provider keeps it where its prompt is cached. */
const sessionHeaders = ["x-session-id", "session-id", "session_id", "x-session-affinity", "conversation_id"];

/** The headers of a client that are sent on, by the protocol that it shares with the provider. */
const passedOn: Readonly<Record<CallProtocol, readonly string[]>> = {
  chat: ["openai-beta", ...sessionHeaders],
  messages: ["anthropic-version", "anthropic-beta", "x-claude-code-session-id", ...sessionHeaders],
};

/** Undefined where the client sends none of them. */
export function pickPassedHeaders(
  headers: RequestHeaders,
  protocol: CallProtocol,
): Readonly<Record<string, string>> | undefined {
  let picked: Record<string, string> | undefined;
  for (const name of passedOn[protocol]) {
    const value = headers.get(name);
    if (value === null) continue;
    picked ??= {};
    picked[name] = value;
  }
  return picked;
}
