import type { BodyBounds } from "@/lib/contract/operation";
import { audioOperations } from "@/lib/contract/operations/audio";
import { completionOperations } from "@/lib/contract/operations/completions";
import { embeddingOperations } from "@/lib/contract/operations/embeddings";
import { imageOperations } from "@/lib/contract/operations/images";
import { moderationOperations } from "@/lib/contract/operations/moderations";
import { videoOperations } from "@/lib/contract/operations/videos";
import type { BodyCapture } from "../completions/bodies/body-capture";
import { editForm, readEditRequest } from "../completions/requests/edit-request";
import type { PreparedRequest } from "../completions/requests/prepared-request";
import type { readClient } from "../completions/requests/read-client";
import type { BodyForm, ReadingOptions } from "../completions/requests/read-request";
import type { RecordingLength } from "../completions/requests/recording-length";
import type { RequestReader } from "../completions/requests/request-reader";
import { type TranscriptEndpoint, TranscriptionRequest } from "../completions/requests/transcription-request";
import type { FormReceiver, UploadedForm } from "../completions/requests/uploaded-form";
import type { BodyPieces, BodyReader } from "../http/body-reader";
import type { Exchange } from "../http/exchange";
import { formToJson, isForm } from "../http/read-form";

export interface CallReading {
  readonly bodyReader: BodyReader;
  readonly requestReader: RequestReader;
  readonly formReceiver: FormReceiver;
  /** Receives the forms whose files a task needs. */
  readonly inputReceiver: FormReceiver;
  readonly recordingLength: Pick<RecordingLength, "measure">;
}

interface UploadReading {
  readonly keyId: string;
  readonly receiver: FormReceiver;
  readonly form: CallKind;
  readonly shape: Parameters<FormReceiver["receive"]>[3];
}

/** What a call asks for, which decides how its body is read. */
export type CallKind = BodyForm | "transcription" | "translation" | "image edit";

/** The endpoint's name in receipts. */
export const receiptEndpoints: Readonly<Record<CallKind, Parameters<typeof readClient>[1]>> = {
  "chat completion": "chat/completions",
  "chat message": "messages",
  message: "messages",
  "message count": "messages",
  embedding: "embeddings",
  moderation: "moderations",
  image: "images/generations",
  "image edit": "images/edits",
  video: "videos",
  speech: "audio/speech",
  transcription: "audio/transcriptions",
  translation: "audio/translations",
};

/** The maximum size of a body by the kind of call. */
const boundsByForm: Readonly<Partial<Record<CallKind, BodyBounds>>> = {
  embedding: embeddingOperations.createEmbedding.bodyBounds,
  moderation: moderationOperations.createModeration.bodyBounds,
  image: imageOperations.createImage.bodyBounds,
  "image edit": imageOperations.createImageEdit.bodyBounds,
  video: videoOperations.createVideo.bodyBounds,
  speech: audioOperations.createSpeech.bodyBounds,
  transcription: audioOperations.createTranscription.bodyBounds,
  translation: audioOperations.createTranslation.bodyBounds,
};
const defaultBounds = completionOperations.createChatCompletion.bodyBounds;

interface CallOptions {
  readonly form: CallKind;
  readonly wantsHash: boolean;
  /** The key or member that makes the call. */
  readonly keyId: string;
}

/**
 * Reads the body of a call, without a promise if it is short and has arrived.
 * @throws Refusal for a body that is malformed, too long or too slow.
 */
export function readCall(
  context: CallReading,
  exchange: Exchange,
  { form, wantsHash, keyId }: CallOptions,
  capture?: BodyCapture,
): PreparedRequest | Promise<PreparedRequest> {
  if (form === "transcription" || form === "translation")
    return readRecording(context, exchange, { form, keyId }, capture);
  if (form === "image edit") return readEdit(context, exchange, keyId, capture);
  const options = { form, wantsHash };
  const pieces = context.bodyReader.read(exchange, findBodyBounds(form).bytes);
  return pieces instanceof Promise || form === "video"
    ? readAwaited(context, exchange, { pieces, options }, capture)
    : readPieces(context, pieces, options, capture);
}

function findBodyBounds(form: CallKind): BodyBounds {
  return boundsByForm[form] ?? defaultBounds;
}

async function readAwaited(
  context: CallReading,
  { request: { headers } }: Exchange,
  { pieces, options }: { pieces: BodyPieces | Promise<BodyPieces>; options: ReadingOptions },
  capture: BodyCapture | undefined,
): Promise<PreparedRequest> {
  const arrived = await pieces;
  const isVideoForm = options.form === "video" && isForm(headers);
  return readPieces(context, isVideoForm ? [await formToJson(arrived, headers)] : arrived, options, capture);
}

function readPieces(
  { requestReader }: CallReading,
  pieces: BodyPieces,
  options: ReadingOptions,
  capture: BodyCapture | undefined,
): PreparedRequest | Promise<PreparedRequest> {
  capture?.request(pieces);
  return requestReader.read(pieces, options, findBodyBounds(options.form));
}

/** Receives a recording, which is stored on disk until its call ends. */
function readRecording(
  context: CallReading,
  exchange: Exchange,
  { form, keyId }: { readonly form: "transcription" | "translation"; readonly keyId: string },
  capture?: BodyCapture,
): Promise<PreparedRequest> {
  const reading = { receiver: context.formReceiver, form, keyId, shape: { files: ["file"] } };
  return readUpload(context, exchange, reading, capture, async (upload) => {
    const endpoint = receiptEndpoints[form] as TranscriptEndpoint;
    const recording = await context.recordingLength.measure(upload.files[0]?.path ?? "", keyId);
    return new TranscriptionRequest(endpoint, upload, recording);
  });
}

/** Receives pictures, which are stored on disk until the task that edits them has ended. */
function readEdit(
  context: CallReading,
  exchange: Exchange,
  keyId: string,
  capture?: BodyCapture,
): Promise<PreparedRequest> {
  const reading = { receiver: context.inputReceiver, form: "image edit", keyId, shape: editForm } as const;
  return readUpload(context, exchange, reading, capture, readEditRequest);
}

/** If the project stores bodies, only the text fields are kept, with the names and sizes of the files. */
async function readUpload(
  { bodyReader }: CallReading,
  exchange: Exchange,
  { receiver, form, keyId, shape }: UploadReading,
  capture: BodyCapture | undefined,
  read: (upload: UploadedForm) => Promise<PreparedRequest>,
): Promise<PreparedRequest> {
  const pieces = bodyReader.stream(exchange, findBodyBounds(form).bytes);
  const type = exchange.request.headers.get("content-type");
  const upload = await receiver.receive({ id: exchange.requestId, keyId }, type, pieces, shape);
  try {
    const bodyFields = { ...Object.fromEntries(upload.fields), ...describeFiles(upload) };
    capture?.request([Buffer.from(JSON.stringify(bodyFields))]);
    return await read(upload);
  } catch (error) {
    upload.release();
    throw error;
  }
}

function describeFiles({ files }: UploadedForm) {
  const described = new Map<string, { filename: string; bytes: number }[]>();
  for (const { name, filename, bytes } of files)
    described.set(name, [...(described.get(name) ?? []), { filename, bytes }]);
  return Object.fromEntries([...described].map(([name, of]) => [name, of.length === 1 ? of[0] : of]));
}
