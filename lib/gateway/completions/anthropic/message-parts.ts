import { isObject } from "@/lib/contract/json-value";
import { readUsage } from "../usage/read-usage";

const stopReasons: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["tool_calls", "tool_use"],
  ["content_filter", "refusal"],
]);

/**
 * Anthropic's stop reason for a `finish_reason`. Servers answer a tool call that the caller demanded, and some every
 * tool call, with `stop` or a reason of their own; Anthropic's clients run tools only for `tool_use`.
 */
export function toStopReason(finishReason: string | null | undefined, callsTools: boolean): string {
  const reason = stopReasons.get(finishReason ?? "stop") ?? "end_turn";
  return callsTools && reason === "end_turn" ? "tool_use" : reason;
}

/**
 * Usage in Anthropic's form, whose input tokens are those besides the cached ones.
 * @param usage of a chat completion or its stream, as the gateway passes it on.
 */
export function toAnthropicUsage(usage: unknown) {
  const figures = isObject(usage) ? readUsage(usage) : null;
  const { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens } = figures ?? {};
  const promptTokens = figures?.promptTokens ?? 0;
  const read = Math.min(cachedTokens, promptTokens);
  const written = Math.min(cacheWriteTokens, promptTokens - read);
  return {
    input_tokens: promptTokens - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: figures?.completionTokens ?? 0,
    ...(reasoningTokens !== undefined && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

/** The beginning of the ids of calls whose server gives none. It differs for each message of a conversation. */
export function toCallId(requestId: string): string {
  return requestId.replace(/^req_/, "call_");
}

/** The message id for a request. */
export function toMessageId(requestId: string): string {
  return requestId.replace(/^req_/, "msg_");
}
