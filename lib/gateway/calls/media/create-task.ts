import { isMediaFamily, type MediaFamily } from "@/lib/contract/calls/model-families";
import { servesFamily } from "@/lib/contract/calls/provider-protocols";
import { newId } from "@/lib/contract/ids";
import { ZERO } from "@/lib/money/amount";
import { respondWithText } from "../../http/response";
import { NO_RECEIPT_DETAILS, writeReceiptDetails } from "../../log/requests/receipt-details";
import type { CatalogueModel } from "../../models/catalogue";
import { providerKinds } from "../../providers/provider-link";
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
import { type MediaRequest, readMediaRequest } from "./read-media-request";

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
