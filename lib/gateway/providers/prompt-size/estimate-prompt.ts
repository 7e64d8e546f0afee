import type { ChatCompletionRequest } from "@/lib/contract/operations/completions";
import type { CarriedMeasure } from "@/lib/contract/rate-limit-table";
import { isTextPart, measureMedia, type PromptMedia } from "./prompt-media";
import { estimateTextTokens, mostTextTokens } from "./text-tokens";

/** Where a model doesn't say how much it reads. */
export const USUAL_CONTEXT_WINDOW = 128_000;
const BYTES_PER_MEGABYTE = 1_000_000;

/** A chat request in OpenAI's form, and the text it came in. */
export interface Prompt {
  readonly text: string;
  readonly value: ChatCompletionRequest;
}

/** How large a prompt is, before a provider has counted it, and what it carries. Tokens are whole numbers. */
export interface PromptEstimate extends Readonly<Record<CarriedMeasure, number>> {
  /** What is charged where the provider doesn't say. */
  readonly promptTokens: number;
  /** What counts in the limits until the provider has said. */
  readonly countedPromptTokens: number;
  /** The most it can be: what is held. */
  readonly mostPromptTokens: number;
}

/**
 * Estimates a prompt: text by its characters, tools and schemas with it, since providers count them; an image that is sent as a
 * large one; what is only named (a file, a remote image, a video) as all that the model reads. What is held is the most that
 * each can be.
 */
export function estimatePrompt(prompt: Prompt, contextWindow: number | null): PromptEstimate {
  const media = measureMedia(prompt.value.messages);
  const carried = carriedBy(media);
  const text = textOf(prompt, media);
  const likely = Math.max(1, Math.ceil(estimateTextTokens(text)) + (media?.likelyTokens ?? 0));
  const most = Math.max(likely, mostTextTokens(text) + (media?.mostTokens ?? 0));
  // What doesn't fit into the model is refused by its provider; but only an operator's word says what fits.
  const within = (tokens: number) => Math.min(tokens, contextWindow ?? tokens);
  if (!media || !(media.hasUnknown || media.hasRemoteImage)) {
    const promptTokens = within(likely);
    return { promptTokens, countedPromptTokens: promptTokens, mostPromptTokens: within(most), ...carried };
  }
  const whole = contextWindow ?? Math.max(USUAL_CONTEXT_WINDOW, most);
  const promptTokens = media.hasUnknown ? whole : within(likely);
  return { promptTokens, countedPromptTokens: whole, mostPromptTokens: whole, ...carried };
}

/** What a request carries besides its text. */
export function carriedBy(media: PromptMedia | null): Record<CarriedMeasure, number> {
  return {
    images: media?.images ?? 0,
    audioMegabytes: Math.ceil((media?.audioBytes ?? 0) / BYTES_PER_MEGABYTE),
  };
}

/** The request's text without its media, and with characters in place of their JSON escapes. */
function textOf({ text, value }: Prompt, media: PromptMedia | null): string {
  if (!media) return text.includes("\\u") ? JSON.stringify(value) : text;
  const messages = value.messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: message.content.filter(isTextPart) } : message,
  );
  return JSON.stringify({ ...value, messages });
}
