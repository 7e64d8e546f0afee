import { MAX_AUDIO_BYTES } from "@/lib/contract/operations/calls/audio";
import type { ChatMessage } from "@/lib/contract/operations/calls/completions";

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
export interface PromptMedia {
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
export function isTextPart(part: Part): boolean {
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
