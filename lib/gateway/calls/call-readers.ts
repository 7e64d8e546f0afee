import type { BodyBounds } from "@/lib/contract/operation";
import type { BodyPieces, BodyReader } from "../http/body-reader";
import { formToJson, isForm } from "../http/forms/read-form";
import type { RequestContext } from "../http/request-context";
import { hashBody } from "../idempotency/idempotency";
import type { BodyCapture } from "./bodies/body-capture";
import type { RecordingLength } from "./recordings/recording-length";
import { editForm, readEditRequest } from "./requests/edit-request";
import type { PreparedRequest } from "./requests/prepared-request";
import type { BodyKind, ReadingOptions } from "./requests/read-request";
import type { RequestReader } from "./requests/request-reader";
import { type TranscriptEndpoint, TranscriptionRequest } from "./requests/transcription-request";
import type { FormReceiver, UploadedForm } from "./requests/uploaded-form";

export interface CallReading {
  readonly bodyReader: BodyReader;
  readonly requestReader: RequestReader;
  readonly formReceiver: FormReceiver;
  /** Receives the forms whose files a task needs. */
  readonly inputReceiver: FormReceiver;
  readonly recordingLength: Pick<RecordingLength, "measure">;
}

interface CallOptions {
  readonly bounds: BodyBounds;
  /** Whether the request has an idempotency key. */
  readonly wantsHash: boolean;
  /** The key or member that makes the call. */
  readonly keyId: string;
}

/**
 * Reads the body of a call.
 * @param capture records the body if the project stores bodies; of files it gets only names and sizes.
 * @throws Refusal for a body that is malformed, too long or too slow.
 */
export type CallReader = (
  context: CallReading,
  requestContext: RequestContext,
  options: CallOptions,
  capture?: BodyCapture,
) => Promise<PreparedRequest>;

export const readJson =
  (kind: BodyKind): CallReader =>
  async (context, requestContext, { bounds, wantsHash }, capture) => {
    const pieces = await context.bodyReader.read(requestContext, bounds.bytes);
    return readPieces(
      context,
      pieces,
      { kind, wantsHash, pathModel: requestContext.pathModel, bounds },
      capture,
    );
  };

/** A form's fields are read as if they had been sent as JSON. */
export const readJsonOrForm =
  (kind: BodyKind): CallReader =>
  async (context, requestContext, { bounds, wantsHash }, capture) => {
    const { pathModel, request } = requestContext;
    const { headers } = request;
    const sent = await context.bodyReader.read(requestContext, bounds.bytes);
    const pieces = isForm(headers) ? [await formToJson(sent, headers)] : sent;
    return readPieces(context, pieces, { kind, wantsHash, pathModel, bounds }, capture);
  };

/** Receives a recording, which is stored on disk until its call ends. */
export const readRecording =
  (endpoint: TranscriptEndpoint): CallReader =>
  (context, requestContext, options, capture) => {
    const upload = { receiver: context.formReceiver, shape: { files: ["file"] }, ...options };
    return readUpload(context, requestContext, upload, capture, async (form) => {
      const recording = await context.recordingLength.measure(form.files[0]?.path ?? "", options.keyId);
      return new TranscriptionRequest(endpoint, form, recording);
    });
  };

/** Receives pictures, which are stored on disk until the task that edits them has ended. */
export const readPictures: CallReader = (context, requestContext, options, capture) => {
  const upload = { receiver: context.inputReceiver, shape: editForm, ...options };
  return readUpload(context, requestContext, upload, capture, readEditRequest);
};

function readPieces(
  { requestReader }: CallReading,
  pieces: BodyPieces,
  { kind, wantsHash, pathModel = null, bounds }: ReadingOptions & { readonly bounds: BodyBounds },
  capture: BodyCapture | undefined,
): PreparedRequest | Promise<PreparedRequest> {
  capture?.request(pieces);
  return requestReader.read(pieces, { kind, wantsHash, pathModel }, bounds);
}

interface UploadOptions extends CallOptions {
  readonly receiver: FormReceiver;
  readonly shape: Parameters<FormReceiver["receive"]>[3];
}

async function readUpload(
  { bodyReader }: CallReading,
  requestContext: RequestContext,
  { receiver, shape, bounds, keyId }: UploadOptions,
  capture: BodyCapture | undefined,
  read: (form: UploadedForm) => Promise<PreparedRequest>,
): Promise<PreparedRequest> {
  const pieces = bodyReader.stream(requestContext, bounds.bytes);
  const type = requestContext.request.headers.get("content-type");
  const received = await receiver.receive({ id: requestContext.requestId, keyId }, type, pieces, shape);
  const form = requestContext.pathModel === null ? received : withModel(received, requestContext.pathModel);
  try {
    const bodyFields = { ...Object.fromEntries(form.fields), ...describeFiles(form) };
    capture?.request([Buffer.from(JSON.stringify(bodyFields))]);
    return await read(form);
  } catch (error) {
    form.release();
    throw error;
  }
}

function withModel(form: UploadedForm, model: string): UploadedForm {
  const otherFields = form.fields.filter(([name]) => name !== "model");
  return { ...form, fields: [...otherFields, ["model", model]], hash: hashBody(`${model}\n${form.hash}`) };
}

function describeFiles({ files }: UploadedForm) {
  const described = new Map<string, { filename: string; bytes: number }[]>();
  for (const { name, filename, bytes } of files)
    described.set(name, [...(described.get(name) ?? []), { filename, bytes }]);
  return Object.fromEntries([...described].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}
