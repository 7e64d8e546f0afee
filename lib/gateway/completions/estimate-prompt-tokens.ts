import { countPromptWords } from "../providers/sandbox/read-conversation";
import type { ChatRequest } from "./chat-request";

const BYTES_PER_TOKEN = 3;
/** What vision models count for a large image. */
const IMAGE_TOKENS = 1_600;
const MEDIA_BYTES_PER_TOKEN = 128;

/**
 * The prompt tokens a request is admitted and held at, before a provider counts them: the body's bytes ÷ 3, so that
 * prose (about 4 bytes a token) is over-estimated by a third and Chinese or code (about 3) is met. Tools and schemas count, since
 * providers count them. An image counts 1,600 tokens; other media 1 per 128 bytes. The sandbox counts words, exactly.
 */
export function estimatePromptTokens({ text, value }: ChatRequest, isSandbox: boolean): number {
  if (isSandbox) {
    const instruction = value.prompt ? [{ role: "system" as const, content: value.prompt }] : [];
    return countPromptWords([...instruction, ...value.messages]);
  }
  let mediaBytes = 0;
  let mediaTokens = 0;
  for (const { content } of value.messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type === "text") continue;
      const bytes = JSON.stringify(part).length;
      mediaBytes += bytes;
      mediaTokens += part.type === "image_url" ? IMAGE_TOKENS : Math.ceil(bytes / MEDIA_BYTES_PER_TOKEN);
    }
  }
  return Math.max(1, Math.ceil((Buffer.byteLength(text) - mediaBytes) / BYTES_PER_TOKEN) + mediaTokens);
}
