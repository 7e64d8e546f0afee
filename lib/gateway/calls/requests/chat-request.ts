import {
  type ChatCompletionRequest,
  chatCompletionRequest,
  promptRequest,
} from "@/lib/contract/operations/calls/completions";
import type { JsonObject } from "../../http/parse-json";
import { parseWith } from "../../http/parse-with";
import type { ScannedObject } from "../../http/scan-json";
import { isPlainChatRequest } from "./is-plain-chat-request";
import { refuseUnpricedOrder } from "./priced-features";
import { refuseUnpricedFields } from "./priced-fields";

/** A chat completion request that the contract accepts, with its source text. */
export interface ChatRequest {
  readonly text: string;
  readonly scanned: ScannedObject;
  readonly value: ChatCompletionRequest;
}

/** @throws Refusal 400 naming the first invalid field. */
export function parseChatRequest({ text, scanned, value }: JsonObject): ChatRequest {
  if (!isPlainChatRequest(value)) parseWith(chatCompletionRequest, value);
  const request = value as ChatCompletionRequest;
  refuseUnpricedFields(request);
  return { text, scanned, value: request };
}

/** Whether a chat request has a prompt instead of messages. Only models that make files answer it. */
export function isPromptAlone({ messages, prompt }: JsonObject["value"]): boolean {
  return messages === undefined && typeof prompt === "string";
}

/** Parses a request with a prompt instead of messages. @throws Refusal 400 naming the first invalid field. */
export function parsePromptAlone({ value }: JsonObject): ChatCompletionRequest {
  parseWith(promptRequest, value);
  const order = { ...value, messages: [] } as unknown as ChatCompletionRequest;
  refuseUnpricedOrder(order);
  return order;
}

/** The caller's output limit per choice, by either of its names; null without one. */
export function readMaxTokens({
  max_tokens,
  max_completion_tokens,
}: Pick<ChatCompletionRequest, "max_tokens" | "max_completion_tokens">): number | null {
  return max_completion_tokens ?? max_tokens ?? null;
}
