import type { ChatMessage } from "@/lib/contract/operations/calls/completions";
import { isTextPart } from "./prompt-media";

/**
 * No token has more bytes. The longest of the vocabularies in use are 128 blanks, with OpenAI's o200k and cl100k and
 * those that were made from them; twice that leaves room for those to come.
 */
export const MAX_TOKEN_BYTES = 256;
/** No server cuts a chat to fewer tokens, or a text to embed. */
const MIN_CHAT_WINDOW = 512;
const MIN_INPUT_WINDOW = 128;

/**
 * The fewest tokens that a provider can read of a chat; 0 for one without text or media. Servers may leave out all but
 * the last message where a chat is too long for them, an assistant's thinking, and blanks around a text.
 */
export function countLeastPromptTokens(messages: readonly ChatMessage[]): number {
  const asked = messages.findLast(({ role }) => role !== "assistant");
  const least = Math.ceil(asked ? measureText(asked.content) / MAX_TOKEN_BYTES : 0);
  return Math.max(Math.min(least, MIN_CHAT_WINDOW), messages.some(hasContent) ? 1 : 0);
}

function hasContent({ content }: ChatMessage): boolean {
  if (Array.isArray(content)) return content.some((part) => !isTextPart(part) || measureText([part]) > 0);
  return measureText(content) > 0;
}

/** A lower bound on the bytes of a message's text. */
function measureText(content: ChatMessage["content"]): number {
  if (typeof content === "string") return content.trim().length;
  let length = 0;
  for (const part of Array.isArray(content) ? content : []) {
    const { text } = part as { text?: unknown };
    if (typeof text === "string") length += text.trim().length;
  }
  return length;
}

/**
 * The fewest tokens that a provider can read of a text to embed. Tokenizers of such models may skip blanks, and make
 * one token of a word that they don't know, however long it is.
 */
export function countLeastInputTokens(text: string): number {
  let bytes = 0;
  for (const [word] of text.slice(0, MIN_INPUT_WINDOW * MAX_TOKEN_BYTES).matchAll(/\S+/g))
    bytes += Math.min(word.length + 1, MAX_TOKEN_BYTES);
  return Math.min(Math.ceil(bytes / MAX_TOKEN_BYTES), MIN_INPUT_WINDOW);
}
