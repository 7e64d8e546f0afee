import { type ChatCompletionRequest, chatCompletionRequest } from "@/lib/contract/operations/completions";
import type { JsonObject } from "../http/parse-json";
import { parseWith } from "../http/parse-with";
import type { ScannedObject } from "../http/scan-json";
import { invalid } from "../refusal";
import { isPlainChatRequest } from "./is-plain-chat-request";
import { refuseUnpricedFields } from "./priced-fields";

/** A chat completion request, valid by the contract, with the text it came in. */
export interface ChatRequest {
  readonly text: string;
  readonly scanned: ScannedObject;
  readonly value: ChatCompletionRequest;
}

/** @throws Refusal 400 naming the first field that doesn't fit. */
export function parseChatRequest({ text, scanned, value }: JsonObject): ChatRequest {
  if (!isPlainChatRequest(value)) parseWith(chatCompletionRequest, value);
  if (value.callback_url !== undefined && value.callback_url !== null) {
    const message = "A chat model answers at once and calls nothing back; leave callback_url out.";
    throw invalid("callback_url", message);
  }
  refuseUnpricedFields(value as ChatCompletionRequest);
  return { text, scanned, value: value as ChatCompletionRequest };
}

/** The caller's limit on the output of a choice, by either of its names; null where it sets none. */
export function requestedMaxTokens({
  max_tokens,
  max_completion_tokens,
}: Pick<ChatCompletionRequest, "max_tokens" | "max_completion_tokens">): number | null {
  return max_completion_tokens ?? max_tokens ?? null;
}
