import { readUsage } from "../read-usage";

const stopReasons: Readonly<Record<string, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_calls: "tool_use",
  content_filter: "refusal",
};

/** Anthropic's word for a `finish_reason`; null while nothing has finished. */
export function stopReasonOf(finishReason: string | null | undefined): string | null {
  return finishReason ? (stopReasons[finishReason] ?? "end_turn") : null;
}

/** Usage in Anthropic's words. */
export function usageOf(usage: unknown): { input_tokens: number; output_tokens: number } {
  const { promptTokens, completionTokens } = readUsage(usage) ?? { promptTokens: 0, completionTokens: 0 };
  return { input_tokens: promptTokens, output_tokens: completionTokens };
}

/** The id of the message that answers a request. */
export function messageIdOf(requestId: string): string {
  return requestId.replace(/^req_/, "msg_");
}
