import type { ChatMessage } from "@/lib/contract/operations/completions";
import { splitWords } from "./split-words";

/** The text of a message: its content, or the text parts of it. */
function readText({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  const parts = content ?? [];
  return parts.map((part) => (typeof part.text === "string" ? part.text : "")).join(" ");
}

/** The last user message; empty without one. */
export function findLastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last ? readText(last) : "";
}

/** The sandbox's prompt tokens: one per word, over all messages. */
export function countPromptWords(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + splitWords(readText(message)).length, 0);
}
