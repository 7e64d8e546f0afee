import type { CarriedMeasure } from "@/lib/contract/calls/rate-limit-table";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { isTextPart, measureMedia, type PromptMedia } from "./prompt-media";
import { computeMaxTextTokens, estimateTextTokens } from "./text-tokens";

/** The assumed context window of a model without one. */
export const DEFAULT_CONTEXT_WINDOW = 128_000;
const BYTES_PER_MEGABYTE = 1_000_000;

/** The megabytes of audio that limits count, rounded up. */
export function toAudioMegabytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_MEGABYTE);
}

/** A chat request in OpenAI's form, with its text. */
export interface Prompt {
  readonly text: string;
  readonly value: ChatCompletionRequest;
}

/** The estimated size and contents of a prompt, before a provider has counted it. Tokens are whole numbers. */
export interface PromptEstimate extends Readonly<Record<CarriedMeasure, number>> {
  /** What is charged if the provider doesn't report usage. */
  readonly promptTokens: number;
  /** What counts in the limits until the provider reports usage. */
  readonly countedPromptTokens: number;
  /** The upper bound, which is held for. */
  readonly maxPromptTokens: number;
  /** How many of `promptTokens` are audio; absent if none are. */
  readonly audioTokens?: number;
  /** No true count of a provider is below this; absent where nothing is known. */
  readonly minPromptTokens?: number;
  /** Set where the prompt is text and nothing else, so that its tokens can be counted. */
  readonly isTextAlone?: true | undefined;
}

/**
 * Estimates a prompt. Text, including tools and schemas, counts by its characters; an inline image as a large one; a
 * reference (a file, a remote image, a video) as the model's whole context window. An inline document counts so in
 * limits, and in the charge by its size. The hold covers the maximum of each.
 */
export function estimatePrompt(prompt: Prompt, contextWindow: number | null): PromptEstimate {
  const media = measureMedia(prompt.value.messages);
  const text = extractText(prompt, media);
  const likely = Math.max(1, Math.ceil(estimateTextTokens(text)) + (media?.likelyTokens ?? 0));
  const max = Math.max(likely, computeMaxTextTokens(text) + (media?.maxTokens ?? 0));
  // A provider rejects prompts beyond its context window, but only a configured window is reliable.
  const window = contextWindow ?? Number.POSITIVE_INFINITY;
  const promptTokens = Math.min(likely, window);
  if (!media) {
    const maxPromptTokens = Math.min(max, window);
    const size = { promptTokens, countedPromptTokens: promptTokens, maxPromptTokens };
    return { ...size, ...countCarried(null), isTextAlone: true };
  }
  const { audioTokens } = media;
  const mediaCounts = { ...countCarried(media), ...(audioTokens > 0 && { audioTokens }) };
  const { documentTokens } = media;
  if (!media.hasUnknown && !media.hasRemoteImage && documentTokens === 0) {
    const maxPromptTokens = Math.min(max, window);
    return { promptTokens, countedPromptTokens: promptTokens, maxPromptTokens, ...mediaCounts };
  }
  const contextTokens = contextWindow ?? Math.max(DEFAULT_CONTEXT_WINDOW, max);
  return {
    promptTokens: media.hasUnknown ? contextTokens : Math.min(promptTokens + documentTokens, contextTokens),
    countedPromptTokens: contextTokens,
    maxPromptTokens: contextTokens,
    ...mediaCounts,
  };
}

/** The estimate of a request without prompt tokens. */
export const withoutPrompt: PromptEstimate = {
  promptTokens: 0,
  countedPromptTokens: 0,
  maxPromptTokens: 0,
  ...countCarried(null),
};

/** What a request contains besides text. */
export function countCarried(media: PromptMedia | null): Record<CarriedMeasure, number> {
  return {
    images: media?.images ?? 0,
    audioMegabytes: toAudioMegabytes(media?.audioBytes ?? 0),
  };
}

/** The request's text without its media, with JSON escapes replaced by their characters. */
function extractText({ text, value }: Prompt, media: PromptMedia | null): string {
  if (!media) return text.includes("\\u") ? JSON.stringify(value) : text;
  const messages = value.messages.map((message) =>
    Array.isArray(message.content) ? { ...message, content: message.content.filter(isTextPart) } : message,
  );
  return JSON.stringify({ ...value, messages });
}
