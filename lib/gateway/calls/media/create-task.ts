import { isMediaFamily, type MediaFamily } from "@/lib/contract/calls/model-families";
import { servesFamily } from "@/lib/contract/calls/provider-protocols";
import { newId } from "@/lib/contract/ids";
import type { ChatCompletionRequest } from "@/lib/contract/operations/calls/completions";
import { ZERO } from "@/lib/money/amount";
import { PARTS_PER_UNIT, type UnitPriceSnapshot } from "@/lib/money/charge";
import { respondWithText } from "../../http/response";
import { NO_RECEIPT_DETAILS, writeReceiptDetails } from "../../log/requests/receipt-details";
import type { CatalogueModel, CatalogueUnitPrice } from "../../models/catalogue";
import type { MediaOrder } from "../../providers/media-client";
import { providerKinds } from "../../providers/provider-kinds";
import { findLastUserText } from "../../providers/read-message-text";
import type { AdmissionRequest } from "../../rate-limits/admissions";
import { invalid, Refusal } from "../../refusal";
import { readCallbackUrl } from "../../tasks/callbacks/post-callback";
import { serializeOrder } from "../../tasks/orders";
import type { TaskRecord, TaskSettings } from "../../tasks/task-store.sql";
import { describeTask } from "../../tasks/tasks";
import type { CompletionContext } from "../call";
import { findAllowedModel } from "../call-access";
import { admitAndHold } from "../holds/admit-and-hold";
import { logRefusedCall } from "../receipts/log-refusal";
import { buildCompletionHeaders } from "../replies/reply-client";
import type { IncomingCall } from "../requests/incoming-call";
import { missingMessages, type OrderRequest } from "../requests/prepared-request";
import { normalizeName } from "../requests/priced-fields";

export interface TaskCreation extends CompletionContext {
  readonly organization: { readonly currency: string };
  /** Hosts at private addresses that callbacks may go to. */
  readonly callbackHosts: readonly string[];
  /** Makes the worker look for due tasks at once. */
  workOnTasks(): void;
}

/** A model whose calls are answered with tasks. */
interface MediaModel extends CatalogueModel {
  readonly family: MediaFamily;
}

/**
 * Creates a task for a call to a media model. Once this resolves it is admitted, and stored together with its hold.
 * @throws Refusal as `complete` does.
 */
export async function createTask(
  context: TaskCreation,
  incoming: IncomingCall<OrderRequest>,
): Promise<Response> {
  const { requestContext, request, idempotencyLock } = incoming;
  const { clock, random } = context.runtime;
  const callable = findModel(context, incoming);
  const nowMs = clock.nowMs();
  let admissionRequest: AdmissionRequest | null = null;
  try {
    const model = asMediaModel(callable);
    const media = readMedia(model, incoming);
    refuseUnfitProvider(context, model, media, request);
    const callbackUrl = readCallback(context, request)?.url.href ?? null;
    admissionRequest = buildAdmissionRequest(context, incoming, model, media);
    const settings = toTaskSettings(media.order);
    const created = buildTask(incoming, model, { id: newId("task", nowMs, random), nowMs, settings });
    const reply = JSON.stringify(describeTask(created, context.organization.currency));
    const { pictures } = request;
    const input = serializeOrder(media.order, pictures?.files);
    const receiptDetails = writeReceiptDetails({ ...NO_RECEIPT_DETAILS, client: incoming.client });
    const storedOrder = { input, settings: JSON.stringify(settings), callbackUrl, receiptDetails };
    const task = { id: created.id, family: model.family, ...storedOrder, reply };
    const recheck = () => {
      incoming.refuseEndedAccess();
      const present = asMediaModel(findModel(context, incoming));
      return buildAdmissionRequest(context, incoming, present, readMedia(present, incoming));
    };
    const startedAtMs = clock.monotonicMs();
    const call = { requestId: requestContext.requestId, stream: false, startedAtMs, recheck };
    incoming.refuseEndedAccess();
    const open = await admitAndHold(context, admissionRequest, { ...call, idempotencyLock, task });
    pictures?.keep();
    context.workOnTasks();
    incoming.capture?.noteAdmitted();
    incoming.capture?.noteAnswered([Buffer.from(reply)]);
    const headers = buildCompletionHeaders(requestContext.requestId, open.admission.rateLimits, clock);
    return respondWithText(reply, { headers: { ...headers, "content-type": "application/json" } });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw await logRefusedCall(context, { incoming, model: callable, admissionRequest }, error);
  }
}

type AskedCall = Pick<IncomingCall<OrderRequest>, "projectId" | "request" | "caller">;

/** Returns what a call asks of admission. @throws Refusal as `createTask` does before admission. */
export function describeTaskForAdmission(
  context: TaskCreation,
  call: AskedCall,
): { readonly model: CatalogueModel; readonly admissionRequest: AdmissionRequest } {
  const model = asMediaModel(findModel(context, call));
  const media = readMedia(model, call);
  refuseUnfitProvider(context, model, media, call.request);
  readCallback(context, call.request);
  return { model, admissionRequest: buildAdmissionRequest(context, call, model, media) };
}

/** Null for a call without `callback_url`. @throws Refusal 400 for an address that callbacks may not go to. */
function readCallback({ callbackHosts }: TaskCreation, { fields }: OrderRequest) {
  const { callback_url: address } = fields;
  return typeof address === "string" ? readCallbackUrl(address, callbackHosts) : null;
}

function findModel(context: TaskCreation, { projectId, request, caller }: AskedCall): CatalogueModel {
  return findAllowedModel(context, projectId, request.fields.model, caller.scope, request.endpoint);
}

/** @throws Refusal 400 for a chat model, which needs messages. */
function asMediaModel(model: CatalogueModel): MediaModel {
  const { family } = model;
  if (!isMediaFamily(family)) throw missingMessages();
  return { ...model, family };
}

function readMedia({ family, unitPrice }: MediaModel, { request }: AskedCall): MediaRequest {
  if (!unitPrice) throw new TypeError("A model without a price is not callable");
  if (request.order) return readMediaRequest(family, unitPrice, request.order);
  throw invalid("prompt", "The request is longer than a media model's may be: send at most 128 KB.");
}

/**
 * @throws Refusal 400 if the model's first provider can't make such files, or can't be sent all that the order says.
 */
function refuseUnfitProvider(
  { directory }: TaskCreation,
  { id, family, routes }: MediaModel,
  { order }: MediaRequest,
  { pictures }: OrderRequest,
): void {
  const provider = routes[0] && directory.find(routes[0].provider);
  if (!provider || !servesFamily(provider.kind, provider.taskApi?.makes, family)) {
    const message = `"${id}" leads to a provider that makes no ${family}. Give it a route to one that does.`;
    throw invalid("model", message);
  }
  const { files } = providerKinds[provider.kind];
  if (pictures && !files?.editsImages) {
    const message = `"${id}" leads to a provider that edits no images. It answers at /v1/images/generations.`;
    throw invalid("model", message);
  }
  const fault = files?.findOrderFault?.(provider, order);
  if (fault) throw invalid(fault.field, fault.message);
}

function buildAdmissionRequest(
  { rateLimitCache }: TaskCreation,
  { caller, projectId }: AskedCall,
  model: MediaModel,
  { order, units, perUnit }: MediaRequest,
): AdmissionRequest {
  return {
    projectId,
    keyId: caller.keyId,
    model: model.id,
    limits: rateLimitCache.effectiveLimits(projectId, model),
    price: { inputPer1m: ZERO, outputPer1m: ZERO, rate: model.rate, perUnit },
    promptTokens: 0,
    maxOutputTokens: 0,
    expectedOutputTokens: 0,
    choices: 1,
    units,
    ...(model.family === "image" && { images: order.count }),
  };
}

function toTaskSettings({ size, seconds, quality, count }: MediaRequest["order"]): TaskSettings {
  return { size: size && `${size.width}x${size.height}`, seconds, quality, count };
}

function buildTask(
  { requestContext, caller, projectId }: IncomingCall,
  { id: model, family }: MediaModel,
  { id, nowMs, settings }: { id: string; nowMs: number; settings: TaskSettings },
): TaskRecord {
  return {
    id,
    requestId: requestContext.requestId,
    projectId,
    keyId: caller.keyId,
    model,
    family,
    status: "queued",
    progress: null,
    isStateUnknown: false,
    isCancelRequested: false,
    error: null,
    settings,
    files: [],
    areFilesDeleted: false,
    charged: null,
    createdAtMs: nowMs,
    startedAtMs: null,
    endedAtMs: null,
  };
}

/** The validated order of a request, with its price and its size in units. */
interface MediaRequest {
  readonly order: Omit<MediaOrder, "model">;
  readonly perUnit: UnitPriceSnapshot;
  /** Millionths of the unit, for all files together. */
  readonly units: number;
}

const MAX_IMAGES = 10;
const MAX_SIDE_PIXELS = 4_096;
const MIN_SIDE_PIXELS = 16;
const MAX_PROMPT_LENGTH = 32_000;
const defaultSize = { image: "1024x1024", video: "640x360" } as const;
const defaultSeconds = { video: 5, music: 10 } as const;
const maxSeconds = { video: 60, music: 300 } as const;

/** Fields that are not passed on as `extraFields`: those that are read here, and those that only chats have. */
const own = new Set(
  "model messages prompt stream stream_options n size quality seconds callback_url max_tokens max_completion_tokens temperature response_format".split(
    " ",
  ),
);

/** @throws Refusal 400 naming the first field that doesn't fit. */
export function readMediaRequest(
  family: MediaFamily,
  price: CatalogueUnitPrice,
  request: ChatCompletionRequest,
): MediaRequest {
  if (request.stream === true) {
    const message = "A media model answers with a task: leave stream out, and follow /v1/tasks/{id}/events.";
    throw invalid("stream", message);
  }
  refuseUnpriced(family, request);
  const count = readCount(family, request.n ?? 1);
  const requestedSize = request.size === "auto" ? null : request.size;
  const size = family === "music" ? null : readSize(requestedSize ?? defaultSize[family]);
  const seconds = family === "image" ? null : readSeconds(family, request.seconds ?? defaultSeconds[family]);
  const quality = readQuality(price, request.quality ?? null);
  const extraFields = Object.fromEntries(Object.entries(request).filter(([name]) => !own.has(name)));
  const amount = (quality === null ? undefined : price.qualities[quality]) ?? price.amount;
  return {
    order: {
      family,
      prompt: readPrompt(request),
      count,
      size,
      ...((requestedSize ?? null) === null && size && price.unit !== "megapixel" && { isSizeFree: true }),
      seconds,
      quality,
      extraFields,
    },
    perUnit: { unit: price.unit, amount },
    units: count * toMillionths(price.unit, { size, seconds }),
  };
}

/** Millionths of the unit for one file. One pixel is a millionth of a megapixel. */
function toMillionths(
  unit: CatalogueUnitPrice["unit"],
  { size, seconds }: Pick<MediaOrder, "size" | "seconds">,
) {
  if (unit === "image") return PARTS_PER_UNIT;
  if (unit === "second") return (seconds ?? 0) * PARTS_PER_UNIT;
  return (size?.width ?? 0) * (size?.height ?? 0);
}

function readPrompt({ prompt, messages }: ChatCompletionRequest): string {
  const text = prompt ?? findLastUserText(messages);
  if (text.trim() === "") throw invalid("prompt", "prompt must say what to make, or the last user message.");
  if (text.length <= MAX_PROMPT_LENGTH) return text;
  throw invalid("prompt", `prompt must be at most ${MAX_PROMPT_LENGTH} characters long.`);
}

function readCount(family: MediaFamily, count: number): number {
  const max = family === "image" ? MAX_IMAGES : 1;
  if (count <= max) return count;
  throw invalid("n", `n must be at most ${max} for ${family} models.`);
}

function readSize(size: unknown): { width: number; height: number } {
  const [, width, height] = /^(\d{1,4})x(\d{1,4})$/.exec(typeof size === "string" ? size : "") ?? [];
  const sides = [Number(width ?? 0), Number(height ?? 0)] as const;
  const fits = sides.every((side) => side >= MIN_SIDE_PIXELS && side <= MAX_SIDE_PIXELS);
  if (fits) return { width: sides[0], height: sides[1] };
  const range = `${MIN_SIDE_PIXELS} to ${MAX_SIDE_PIXELS} pixels a side`;
  throw invalid("size", `size must be written as 1024x1024, of ${range}.`);
}

/** Accepts a whole number, or a string of one as in OpenAI's video API. */
function readSeconds(family: "video" | "music", seconds: unknown): number {
  const number = typeof seconds === "string" && /^\d{1,3}$/.test(seconds) ? Number(seconds) : seconds;
  const max = maxSeconds[family];
  if (Number.isSafeInteger(number) && (number as number) >= 1 && (number as number) <= max)
    return number as number;
  throw invalid("seconds", `seconds must be a whole number from 1 to ${max} for ${family} models.`);
}

/** "standard" and "auto" are charged the plain price. */
function readQuality({ qualities }: CatalogueUnitPrice, quality: unknown): string | null {
  if (quality === null || quality === "standard" || quality === "auto") return null;
  if (typeof quality === "string" && Object.hasOwn(qualities, quality)) return quality;
  const qualityNames = ["standard", ...Object.keys(qualities)].map((name) => `"${name}"`).join(" or ");
  throw invalid("quality", `quality must be ${qualityNames}: others have no price.`);
}

/** The fields that the price depends on, which must be in this spelling, beside the prompt. */
const priced = ["n", "size", "quality", "seconds"];

/** Names of priced fields at other servers, as `normalizeName` returns them, by the name to use here. */
const otherNames = {
  n: "numimages numoutputs numvideos numsamples samples samplecount batchsize imagecount numimagesperprompt numberofimages numberofvideos",
  seconds:
    "duration durationseconds durationms length videolength videoduration musiclengthms audiolength frames numframes",
  size: "width height resolution aspectratio upscale imagesize videosize",
};

const pricedNames = new Map([
  ...priced.map((name) => [name, name] as const),
  ...Object.entries(otherNames).flatMap(([pricedName, others]) =>
    others.split(" ").map((other) => [other, pricedName] as const),
  ),
]);

/** Fields that raise the provider's price of an image, and have none here. */
const unpricedOfImages = new Set(["framecount", "complexity"]);

/**
 * The formats that cost as much as a picture. OpenAI's GIFs have up to 16 frames, and an SVG would be made and then
 * refused.
 */
const imageFormats = new Set<unknown>(["png", "jpeg", "jpg", "webp", "avif"]);

/** Fields whose content is text or the caller's own. */
const opaque = new Set(["messages", "prompt", "metadata"]);

/**
 * Refuses every field that could make an order cost the provider more than its price, at any depth.
 * @throws Refusal 400 naming the first one.
 */
function refuseUnpriced(family: MediaFamily, request: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(request)) {
    if (pricedNames.get(normalizeName(name)) !== name) refuseField(family, name, name, value);
  }
}

function refuseField(family: MediaFamily, path: string, name: string, value: unknown): void {
  if (value === undefined || value === null || opaque.has(name)) return;
  const spelling = normalizeName(name);
  const pricedName = pricedNames.get(spelling);
  if (pricedName !== undefined) throw unpriced(path, `send ${pricedName} instead.`);
  if (family === "image" && unpricedOfImages.has(spelling)) throw unpriced(path, "leave it out.");
  if (family === "image" && spelling === "outputformat" && !isImageFormat(value))
    throw unpriced(path, "send png, jpeg or webp, or leave it out.");
  if (typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) refuseField(family, `${path}.${key}`, key, inner);
}

const isImageFormat = (value: unknown) => typeof value === "string" && imageFormats.has(value.toLowerCase());

function unpriced(path: string, mend: string): Refusal {
  const field = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return invalid(field, `${field} is not priced: ${mend}`, "unpriced_field");
}
