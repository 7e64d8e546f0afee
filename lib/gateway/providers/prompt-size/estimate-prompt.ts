import type { CarriedMeasure } from "@/lib/contract/calls/rate-limit-table";
import { MAX_AUDIO_BYTES } from "@/lib/contract/operations/calls/audio";
import type { ChatCompletionRequest, ChatMessage } from "@/lib/contract/operations/calls/completions";
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

/** A text to embed, or a number of tokens. */
export type EmbeddingInput = string | number;

/**
 * Estimates the tokens of inputs to embed: texts by their characters, tokens by their count.
 * @param contextWindow the maximum tokens of one input; null if it is unknown.
 */
export function estimateInputs(
  inputs: readonly EmbeddingInput[],
  contextWindow: number | null,
): PromptEstimate {
  const within = (tokens: number) => Math.min(tokens, contextWindow ?? tokens);
  let promptTokens = 0;
  let maxPromptTokens = 0;
  let minPromptTokens = 0;
  for (const input of inputs) {
    const isText = typeof input === "string";
    const likely = isText ? Math.max(1, Math.ceil(estimateTextTokens(input))) : input;
    promptTokens += within(likely);
    minPromptTokens += isText ? countLeastInputTokens(input) : 1;
    maxPromptTokens += within(isText ? Math.max(likely, computeMaxTextTokens(input)) : input);
  }
  const bounds = { maxPromptTokens, minPromptTokens };
  const size = { promptTokens, countedPromptTokens: promptTokens, ...bounds, ...countCarried(null) };
  return inputs.every((input) => typeof input === "string") ? { ...size, isTextAlone: true } : size;
}

/**
 * The tokens of a large image with Claude (platform.claude.com/docs/en/build-with-claude/vision), and the most, with
 * gpt-4o-mini: 2,833 + 8 × 5,667 (platform.openai.com/docs/guides/images-vision).
 */
const IMAGE_TOKENS = 1_600;
const MAX_IMAGE_TOKENS = 50_000;
/**
 * Characters of base64 per token, at Gemini's 32 tokens a second (ai.google.dev/gemini-api/docs/tokens): for speech of
 * 24.6 kbit/s, and for 4.6 kbit/s, which is below the lowest rate of AMR, 4.75 kbit/s (RFC 4867).
 */
const AUDIO_BYTES_PER_TOKEN = 128;
const MIN_AUDIO_BYTES_PER_TOKEN = 24;
/** Bytes of base64 per token of a document, which is expected to have four bytes a token, as text has. */
const DOCUMENT_BYTES_PER_TOKEN = 16 / 3;

/** The contents of a chat's messages besides text. */
interface PromptMedia {
  images: number;
  audioBytes: number;
  /** Tokens of the parts with a known size: expected, and maximal. */
  likelyTokens: number;
  maxTokens: number;
  /** The part of `likelyTokens` that is audio. */
  audioTokens: number;
  /** The tokens that are expected of inline documents. Their maximum is unknown: a PDF is compressed. */
  documentTokens: number;
  /** Whether an image is referenced by URL: its size is expected to be the usual one, but unknown. */
  hasRemoteImage: boolean;
  /** Whether there is any other part of unknown size. */
  hasUnknown: boolean;
}

/** Null for a prompt of text alone. */
export function measureMedia(messages: readonly ChatMessage[]): PromptMedia | null {
  let media: PromptMedia | null = null;
  for (const message of messages) {
    if (refersToAudio(message)) addAudioByReference((media ??= noMedia()));
    if (!Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (!isTextPart(part)) addPart((media ??= noMedia()), part);
    }
  }
  return media;
}

const noMedia = (): PromptMedia => ({
  images: 0,
  audioBytes: 0,
  likelyTokens: 0,
  maxTokens: 0,
  audioTokens: 0,
  documentTokens: 0,
  hasRemoteImage: false,
  hasUnknown: false,
});

type Part = Readonly<Record<string, unknown>>;

const textFields = new Set([
  "type",
  "text",
  "refusal",
  "thinking",
  "signature",
  "cache_control",
  "annotations",
]);
const textTypes = new Set<unknown>(["text", "input_text", "output_text", "refusal", "thinking"]);

/**
 * Whether a part is nothing but text: servers that go by a part's fields instead of its type find nothing else in it.
 */
function isTextPart(part: Part): boolean {
  if (!textTypes.has(part.type)) return false;
  for (const field in part) if (!textFields.has(field)) return false;
  return true;
}

/** An assistant's earlier audio answer is referenced by id, not sent. */
function refersToAudio(message: Part): boolean {
  return message.audio !== undefined && message.audio !== null;
}

function addPart(media: PromptMedia, part: Part): void {
  const { type } = part;
  if (type === "image_url" || type === "input_image" || type === "image") addImage(media, part);
  else if (type === "input_audio" || type === "audio_url" || type === "audio") addAudio(media, part);
  else if (type === "file") addFile(media, part);
  else media.hasUnknown = true;
}

function addFile(media: PromptMedia, { file }: Part): void {
  const { file_data: data, file_id, file_url } = (file ?? {}) as Record<string, unknown>;
  const isInline =
    typeof data === "string" && data !== "" && !/^https?:/i.test(data) && !file_id && !file_url;
  if (isInline) media.documentTokens += Math.ceil(data.length / DOCUMENT_BYTES_PER_TOKEN);
  else media.hasUnknown = true;
}

function addImage(media: PromptMedia, part: Part): void {
  media.images++;
  media.likelyTokens += IMAGE_TOKENS;
  media.maxTokens += MAX_IMAGE_TOKENS;
  const { image_url } = part;
  const url = typeof image_url === "string" ? image_url : (image_url as { url?: unknown } | null)?.url;
  if (typeof url !== "string" || !/^data:/i.test(url)) media.hasRemoteImage = true;
}

function addAudio(media: PromptMedia, part: Part): void {
  const data = (part.input_audio as { data?: unknown } | null | undefined)?.data;
  if (typeof data !== "string" || /^https?:/i.test(data)) return addAudioByReference(media);
  media.audioBytes += Math.floor((data.length * 3) / 4);
  const likely = Math.ceil(data.length / AUDIO_BYTES_PER_TOKEN);
  media.likelyTokens += likely;
  media.audioTokens += likely;
  media.maxTokens += Math.ceil(data.length / MIN_AUDIO_BYTES_PER_TOKEN);
}

/** Its size is unknown, so it counts as the largest. */
function addAudioByReference(media: PromptMedia): void {
  media.audioBytes += MAX_AUDIO_BYTES;
  media.hasUnknown = true;
}

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

/** What a provider's tokenizer reads of a request: its texts, and how many messages surround them with tokens. */
export interface PromptTexts {
  readonly texts: readonly string[];
  readonly messages: number;
}

/** Fields that no model reads. All others may be part of the prompt, as tools and schemas are. */
const unread = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "stop",
  "user",
  "metadata",
  "reasoning_effort",
  "service_tier",
  "callback_url",
]);

export function listPromptTexts(request: ChatCompletionRequest): PromptTexts {
  const texts = request.messages.flatMap(listMessageTexts);
  for (const [name, value] of Object.entries(request)) if (!unread.has(name)) addText(texts, value);
  return { texts, messages: request.messages.length };
}

function listMessageTexts({ content, ...more }: ChatMessage): string[] {
  const texts: string[] = [];
  if (Array.isArray(content)) for (const part of content) addText(texts, part.text ?? part);
  else addText(texts, content);
  for (const [name, value] of Object.entries(more)) if (name !== "role") addText(texts, value);
  return texts;
}

/** Numbers and switches are no part of a prompt. */
function addText(texts: string[], value: unknown): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null) texts.push(JSON.stringify(value));
}
