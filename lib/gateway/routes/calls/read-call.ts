import type { BodyBounds } from "@/lib/contract/operation";
import { audioOperations } from "@/lib/contract/operations/audio";
import { completionOperations } from "@/lib/contract/operations/completions";
import { embeddingOperations } from "@/lib/contract/operations/embeddings";
import { imageOperations } from "@/lib/contract/operations/images";
import { moderationOperations } from "@/lib/contract/operations/moderations";
import { videoOperations } from "@/lib/contract/operations/videos";
import type { BodyCapture } from "../../completions/bodies/body-capture";
import type { PreparedRequest } from "../../completions/requests/prepared-request";
import type { readClient } from "../../completions/requests/read-client";
import type { BodyForm } from "../../completions/requests/read-request";
import type { RecordingLength } from "../../completions/requests/recording-length";
import type { RequestReader } from "../../completions/requests/request-reader";
import {
  type TranscriptEndpoint,
  TranscriptionRequest,
} from "../../completions/requests/transcription-request";
import type { FormReceiver } from "../../completions/requests/uploaded-form";
import type { BodyReader } from "../../http/body-reader";
import type { Exchange } from "../../http/exchange";
import { formToJson, isForm } from "../../http/read-form";

export interface CallReading {
  readonly bodyReader: BodyReader;
  readonly requestReader: RequestReader;
  readonly formReceiver: FormReceiver;
  readonly recordingLength: Pick<RecordingLength, "measure">;
}

/** The form of a call's body: JSON, or a form with a recording. */
export type CallForm = BodyForm | "transcription" | "translation";

/** The endpoint's name in receipts, by the form of the body. */
export const endpointOf: Readonly<Record<CallForm, Parameters<typeof readClient>[1]>> = {
  "chat completion": "chat/completions",
  "chat message": "messages",
  message: "messages",
  "message count": "messages",
  embedding: "embeddings",
  moderation: "moderations",
  image: "images/generations",
  video: "videos",
  speech: "audio/speech",
  transcription: "audio/transcriptions",
  translation: "audio/translations",
};

/** The maximum size of a body by its form. */
const boundsOf: Readonly<Partial<Record<CallForm, BodyBounds>>> = {
  embedding: embeddingOperations.createEmbedding.bodyBounds,
  moderation: moderationOperations.createModeration.bodyBounds,
  image: imageOperations.createImage.bodyBounds,
  video: videoOperations.createVideo.bodyBounds,
  speech: audioOperations.createSpeech.bodyBounds,
  transcription: audioOperations.createTranscription.bodyBounds,
  translation: audioOperations.createTranslation.bodyBounds,
};
const defaultBounds = completionOperations.createChatCompletion.bodyBounds;

/** Reads the body of a call. @throws Refusal for a body that is malformed, too long or too slow. */
export async function readCall(
  context: CallReading,
  exchange: Exchange,
  { form, wantsHash }: { readonly form: CallForm; readonly wantsHash: boolean },
  capture?: BodyCapture,
): Promise<PreparedRequest> {
  if (form === "transcription" || form === "translation")
    return readRecording(context, exchange, form, capture);
  const { bodyReader, requestReader } = context;
  const bodyBounds = boundsOf[form] ?? defaultBounds;
  const sent = await bodyReader.read(exchange, bodyBounds.bytes);
  const { headers } = exchange.request;
  const pieces = form === "video" && isForm(headers) ? [await formToJson(sent, headers)] : sent;
  capture?.request(pieces);
  return requestReader.read(pieces, { form, wantsHash }, bodyBounds);
}

/**
 * Receives a recording, which is stored on disk until its call ends. If the project stores bodies, only the text fields
 * are kept.
 */
async function readRecording(
  { bodyReader, formReceiver, recordingLength }: CallReading,
  exchange: Exchange,
  form: "transcription" | "translation",
  capture?: BodyCapture,
): Promise<PreparedRequest> {
  const pieces = bodyReader.stream(exchange, (boundsOf[form] ?? defaultBounds).bytes);
  const type = exchange.request.headers.get("content-type");
  const upload = await formReceiver.receive(exchange.requestId, type, pieces, { files: ["file"] });
  try {
    const [file] = upload.files;
    const { filename = "", bytes = 0, path = "" } = file ?? {};
    const bodyFields = { ...Object.fromEntries(upload.fields), file: { filename, bytes } };
    capture?.request([Buffer.from(JSON.stringify(bodyFields))]);
    const endpoint = endpointOf[form] as TranscriptEndpoint;
    return new TranscriptionRequest(endpoint, upload, await recordingLength.measure(path));
  } catch (error) {
    upload.release();
    throw error;
  }
}
