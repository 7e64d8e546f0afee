import type { OperationId } from "@/lib/contract/operation-table";
import type { CallKind } from "./read-call";

/** The operation that a caller needs for each kind of call. */
export const callOperationIds = {
  "chat completion": "createChatCompletion",
  "chat message": "createMessage",
  message: "createMessage",
  "message count": "countMessageTokens",
  embedding: "createEmbedding",
  moderation: "createModeration",
  image: "createImage",
  "image edit": "createImageEdit",
  video: "createVideo",
  speech: "createSpeech",
  transcription: "createTranscription",
  translation: "createTranslation",
} as const satisfies Record<CallKind, OperationId>;

/** The operations that read a call of a model, and answer or preview it. */
export type CallOperationId = (typeof callOperationIds)[CallKind] | "previewChatCompletion";
