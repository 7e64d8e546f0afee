import type { ChatMessage } from "@/lib/contract/operations/calls/completions";

/** The text of a message: its content, or the text parts of it. */
export function readMessageText({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  const parts = content ?? [];
  return parts.map((part) => (typeof part.text === "string" ? part.text : "")).join(" ");
}

/** The last user message; empty without one. */
export function findLastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last ? readMessageText(last) : "";
}
