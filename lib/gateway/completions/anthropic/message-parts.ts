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

/** Usage in Anthropic's form. */
export function toAnthropicUsage(usage: unknown): { input_tokens: number; output_tokens: number } {
  const { promptTokens, completionTokens } = readUsage(usage) ?? { promptTokens: 0, completionTokens: 0 };
  return { input_tokens: promptTokens, output_tokens: completionTokens };
}

/** The beginning of the ids of calls whose server gives none. It differs for each message of a conversation. */
export function toCallId(requestId: string): string {
  return requestId.replace(/^req_/, "call_");
}

/** The message id for a request. */
export function toMessageId(requestId: string): string {
  return requestId.replace(/^req_/, "msg_");
}
