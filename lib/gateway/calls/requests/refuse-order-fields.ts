import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { invalid, type Refusal } from "../../refusal";
import type { CompletionRequest, PreparedRequest } from "./prepared-request";

/** @throws Refusal 400 for a request with a prompt instead of messages. */
export function requireMessages(request: PreparedRequest): CompletionRequest {
  if (request.answeredBy === "provider") return request;
  throw missingMessages();
}

export function missingMessages(): Refusal {
  return invalid("messages", "messages is required.", "missing_field");
}

/** @throws Refusal 400 for a callback, which only the end of a task makes. */
export function refuseCallback({ callback_url }: Pick<ChatCompletionRequest, "callback_url">): void {
  if (callback_url === undefined || callback_url === null) return;
  throw invalid(
    "callback_url",
    "A chat model answers at once and makes no callback. Leave callback_url out.",
  );
}
