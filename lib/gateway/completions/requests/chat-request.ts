import {
  type ChatCompletionRequest,
  chatCompletionRequest,
  promptRequest,
} from "@/lib/contract/operations/completions";
import type { JsonObject } from "../../http/parse-json";
import { parseWith } from "../../http/parse-with";
import type { ScannedObject } from "../../http/scan-json";
import { invalid } from "../../refusal";
import { isPlainChatRequest } from "./is-plain-chat-request";
import { refuseUnpricedFields } from "./priced-fields";

/** A chat completion request that the contract accepts, with its source text. */
export interface ChatRequest {
  readonly text: string;
  readonly scanned: ScannedObject;
  readonly value: ChatCompletionRequest;
  /** Whether it has `prompt` instead of messages, as requests to media models may. */
  readonly lacksMessages?: boolean;
}

/** @throws Refusal 400 naming the first invalid field. */
export function parseChatRequest({ text, scanned, value }: JsonObject): ChatRequest {
  const lacksMessages = value.messages === undefined && typeof value.prompt === "string";
  if (lacksMessages) parseWith(promptRequest, value);
  else if (!isPlainChatRequest(value)) parseWith(chatCompletionRequest, value);
  const request = (lacksMessages ? { ...value, messages: [] } : value) as ChatCompletionRequest;
  refuseUnpricedFields(request);
  return { text, scanned, value: request, lacksMessages };
}

/** @throws Refusal 400 for fields that only media models support. */
export function refuseMediaFields({
  fields: { callback_url },
  lacksMessages,
}: {
  readonly fields: Pick<ChatCompletionRequest, "callback_url">;
  readonly lacksMessages: boolean;
}): void {
  if (lacksMessages) throw invalid("messages", "messages is required.", "missing_field");
  if (callback_url === undefined || callback_url === null) return;
  throw invalid(
    "callback_url",
    "A chat model answers at once and makes no callback. Leave callback_url out.",
  );
}

/** The caller's output limit per choice, by either of its names; null without one. */
export function readMaxTokens({
  max_tokens,
  max_completion_tokens,
}: Pick<ChatCompletionRequest, "max_tokens" | "max_completion_tokens">): number | null {
  return max_completion_tokens ?? max_tokens ?? null;
}
