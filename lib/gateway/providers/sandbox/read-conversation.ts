import type { ChatMessage } from "@/lib/contract/operations/completions";
import { readMessageText } from "../read-message-text";
import { splitWords } from "./split-words";

/** The sandbox's prompt tokens: one per word, over all messages. */
export function countPromptWords(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + splitWords(readMessageText(message)).length, 0);
}
