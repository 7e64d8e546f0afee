import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { BodyBounds } from "@/lib/contract/operation";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { Caller } from "../../access/caller";
import type { BodyPieces, BodyReader } from "../../http/body-reader";
import { formToJson, isForm } from "../../http/forms/read-form";
import type { RequestContext } from "../../http/server";
import { hashBody, type Idempotency } from "../../idempotency/idempotency";
import type { IdempotencyLock } from "../../idempotency/idempotency-locks";
import { boundText } from "../../log/requests/receipt-details";
import type { RequestHeaders } from "../../request-headers";
import type { BodyCapture } from "../bodies/body-capture";
import type { RecordingLength } from "../recordings/recording-length";
import type { TurnContext } from "../responses/turn";
import { editForm, readEditRequest } from "./edit-request";
import type { PreparedRequest } from "./prepared-request";
import type { BodyKind, ReadingOptions, RequestReader } from "./request-reader";
import { type TranscriptEndpoint, TranscriptionRequest } from "./transcription-request";
import type { FormReceiver, UploadedForm } from "./uploaded-form";

/** The line of a batch that a call answers. */
export interface CallOfBatch {
  readonly batchId: string;
  /** Called once the limits count the call. */
  noteAdmitted(): void;
}

/** An authorized request that is not admitted yet. */
export interface IncomingCall<Request extends PreparedRequest = PreparedRequest> {
  readonly requestContext: Pick<RequestContext, "requestId" | "clientSignal"> &
    Partial<Pick<RequestContext, "answerEarly" | "outliveClient">>;
  readonly caller: Pick<Caller, "id" | "keyId" | "permissionsIn" | "scope">;
  /** Client details from its headers. */
  readonly client: RequestClient;
  /** The charged project. */
  readonly projectId: string;
  readonly request: Request;
  /** The batch whose line it is; absent for a live call. */
  readonly batchId?: string | undefined;
  /** Called once the limits count the line of a batch. */
  noteAdmitted?: CallOfBatch["noteAdmitted"] | undefined;
  /** Null without the header `Idempotency-Key`. */
  readonly idempotency: Idempotency | null;
  /** Set once this call has taken the key. */
  readonly idempotencyLock?: IdempotencyLock;
  /** The value of the header `traceparent`; absent where traces are off. */
  readonly traceparent?: string | undefined;
  /** Throws a Refusal once its maker may no longer make it. Asked after each wait. */
  refuseEndedAccess(): void;
  /** The headers of its request; absent where none are sent on. */
  readonly headers?: RequestHeaders;
  /** Called with the address of the provider whose answer follows, and its protocol. */
  noteAnswering?(baseUrl: string, protocol: ProviderProtocol): void;
  /** Records the bodies, where the project stores them. */
  readonly capture?: BodyCapture | undefined;
}

/** The cache's size: there are few clients, with many calls each. */
const MAX_CACHED = 1_000;
const shortUserAgents = new Map<string, string | null>();

/** A call's client details for its receipt, from its headers. */
export function readClient(
  headers: RequestHeaders,
  endpoint: RequestClient["endpoint"],
  idempotencyKey: string | null,
  runBy: RequestClient["run_by"] = null,
): RequestClient {
  return {
    endpoint,
    user_agent: readUserAgent(headers.get("user-agent")),
    client_request_id: boundText(headers.get("x-client-request-id") ?? headers.get("x-request-id")),
    retry_count: parseWholeNumber(headers.get("x-stainless-retry-count")),
    content_length: parseWholeNumber(headers.get("content-length")),
    idempotency_key_hash: idempotencyKey === null ? null : hashShortly(idempotencyKey),
    run_by: runBy,
  };
}

function readUserAgent(text: string | null): string | null {
  if (text === null) return null;
  let shortened = shortUserAgents.get(text);
  if (shortened === undefined) {
    shortened = boundText(text);
    if (shortUserAgents.size >= MAX_CACHED) shortUserAgents.clear();
    shortUserAgents.set(text, shortened);
  }
  return shortened;
}

const WHOLE_NUMBER = /^\d{1,12}$/;

function parseWholeNumber(text: string | null): number | null {
  return text !== null && WHOLE_NUMBER.test(text) ? Number(text) : null;
}

function hashShortly(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 16);
}

export interface CallReading extends TurnContext {
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
  /** The charged project. */
  readonly projectId: string;
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
