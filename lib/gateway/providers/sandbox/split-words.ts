import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { readMessageText } from "../read-message-text";

/**
 * The sandbox's tokens: words, each with the space that follows it. Joined they give the text without leading space.
 */
export function splitWords(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}

/** The sandbox's prompt tokens: one per word, over all messages. */
export function countPromptWords(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + splitWords(readMessageText(message)).length, 0);
}
