import type { ProviderProtocol } from "@/lib/contract/calls/provider-protocols";
import type { BodyBounds } from "@/lib/contract/operation";
import { imageRequest, MAX_EDITED_BYTES, MAX_EDITED_IMAGES } from "@/lib/contract/operations/calls/images";
import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { Caller } from "../../access/caller";
import type { BodyPieces, BodyReader } from "../../http/body-reader";
import { type FilePart, formToJson, isForm, type MultipartFields } from "../../http/forms/multipart";
import { parseWith } from "../../http/parse-with";
import type { RequestContext } from "../../http/server";
import { hashBody, type Idempotency, type IdempotencyLock } from "../../idempotency/idempotency";
import { boundText } from "../../log/requests/receipt-details";
import { detectMediaType, HEAD_BYTES, type OrderInput } from "../../providers/media-client";
import { invalid } from "../../refusal";
import type { RequestHeaders } from "../../request-headers";
import type { BodyCapture } from "../bodies/body-capture";
import type { RecordingLength } from "../recordings/recording-length";
import type { TurnContext } from "../responses/turn";
import { type OrderInputs, PreparedOrder, type PreparedRequest } from "./prepared-request";
import { refuseUnpricedOrder } from "./priced-fields";
import type { BodyKind, ReadingOptions, RequestReader } from "./request-reader";
import { type TranscriptEndpoint, TranscriptionRequest } from "./transcription-request";
import type { FormReceiver, UploadedFile, UploadedForm } from "./uploaded-form";

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

/** The shape of a form with pictures. One file more than are allowed is received, so that it can be refused. */
const editForm = { files: ["image", "image[]", "mask"], maxFiles: MAX_EDITED_IMAGES + 2 };

const editedTypes = ["image/png", "image/jpeg", "image/webp"];

/** An order to edit pictures. */
class EditRequest extends PreparedOrder {
  constructor(
    order: ConstructorParameters<typeof PreparedOrder>[1],
    private readonly form: UploadedForm,
    readonly pictures: OrderInputs,
  ) {
    super("images/edits", order, hashBody(`images/edits\n${form.hash}`));
  }

  override release(): void {
    this.form.release();
  }
}

/** @throws Refusal 400 naming the first invalid field or file. */
async function readEditRequest(form: UploadedForm): Promise<EditRequest> {
  const files = await Promise.all(form.files.map(describeInput));
  refuseWrongFiles(files);
  const order = { ...parseWith(imageRequest, convertFields(form.fields)), messages: [] };
  refuseUnpricedOrder(order);
  return new EditRequest(order, form, { files, keep: form.keep });
}

async function describeInput({ path, bytes, filename, name }: UploadedFile): Promise<OrderInput> {
  const field = name === "mask" ? "mask" : "image";
  const head = await Bun.file(path).slice(0, HEAD_BYTES).bytes();
  const mimeType = detectMediaType("image", head) ?? "";
  if (editedTypes.includes(mimeType) && (field === "image" || mimeType === "image/png"))
    return { name: field, filename, mimeType, bytes };
  const types = field === "mask" ? "a PNG" : "a PNG, JPEG or WebP";
  throw invalid(field, `${field} must be ${types}: "${filename.slice(0, 100)}" is none.`);
}

function refuseWrongFiles(files: readonly (FilePart & { readonly bytes: number })[]): void {
  const masks = files.filter(({ name }) => name === "mask").length;
  const images = files.length - masks;
  if (images === 0)
    throw invalid("image", "image is required: send it as a part of the body.", "missing_field");
  if (images > MAX_EDITED_IMAGES)
    throw invalid("image", `image must stand at most ${MAX_EDITED_IMAGES} times in the form.`);
  if (masks > 1) throw invalid("mask", `"mask" appears twice in the form; send it once.`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_EDITED_BYTES)
    throw invalid("image", `The pictures must be at most ${MAX_EDITED_BYTES / 1024 ** 2} MiB together.`);
}

/** Converts the text fields to the types that JSON would have. A repeated field becomes a list. */
function convertFields(fields: MultipartFields): Record<string, unknown> {
  const byName = new Map<string, string | string[]>();
  for (const [name, value] of fields) {
    const earlier = byName.get(name);
    byName.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  const values: Record<string, unknown> = Object.fromEntries(byName);
  if (/^\d{1,9}$/.test(String(values.n))) values.n = Number(values.n);
  if (values.stream === "true" || values.stream === "false") values.stream = values.stream === "true";
  return values;
}
