import { UNKNOWN_MODEL } from "@/lib/contract/calls/request-outcomes";
import type { ClockAndRandom } from "../../clock";
import type { Funds } from "../../ledger/funds";
import { writeReceiptDetails } from "../../log/requests/receipt-details";
import type { Catalogue, CatalogueModel } from "../../models/catalogue";
import { type AdmissionRequest, NotAdmitted } from "../../rate-limits/admissions";
import type { Refusal } from "../../refusal";
import { maskSecrets } from "../../secrets/secret";
import type { AllowedModelContext } from "../call-access";
import type { DescribeContext } from "../holds/admit-and-hold";
import type { HeldCall, HoldContext } from "../holds/held-call";
import { buildCompletionHeaders } from "../replies/reply-client";
import type { IncomingCall } from "../requests/incoming-call";
import type { RequestFields } from "../requests/prepared-request";
import { describeSettings } from "../requests/upstream-request";

interface LogContext {
  readonly funds: Pick<Funds, "logRefusal">;
  readonly runtime: Pick<ClockAndRandom, "clock">;
}

const MAX_NAME_LENGTH = 100;
/** Refusals under overload, whose logging would add to the load. */
const unlogged = new Set<string>(["too_many_slow_requests", "body_incomplete", "body_too_slow"]);

/** Logs a call that admission refused, unless the store is unavailable. */
function logRefusal(
  { funds, runtime }: LogContext,
  { requestContext, client, request, batchId }: IncomingCall,
  { projectId, keyId, model, choices, expectedOutputTokens, ...prompt }: AdmissionRequest,
  refusal: Refusal,
): void {
  const checks = refusal instanceof NotAdmitted ? refusal.checkFigures : null;
  const { code, status } = refusal;
  if (code === "store_unavailable") return;
  const countedTokens = prompt.countedPromptTokens ?? prompt.promptTokens;
  funds.logRefusal({
    requestId: requestContext.requestId,
    projectId,
    keyId,
    model,
    stream: request.fields.stream === true,
    refusedBy: code === "insufficient_balance" ? "balance" : code,
    estimatedTokens: countedTokens + expectedOutputTokens * choices,
    atMs: runtime.clock.nowMs(),
    status,
    batchId,
    facts: refusal.facts(),
    receiptDetails: writeReceiptDetails({
      client,
      settings: describeSettings(request.fields, request.leftOut),
      checks,
      attempts: [],
    }),
  });
}

/**
 * Logs a call that was refused before admission, such as an invalid request or one for an unknown model.
 * @returns whether it was logged.
 */
export function logEarlyRefusal(
  { funds, runtime, catalogue }: LogContext & { readonly catalogue: Pick<Catalogue, "find"> },
  {
    requestContext,
    client,
    caller,
    projectId,
    batchId,
  }: Pick<IncomingCall, "requestContext" | "client" | "caller" | "projectId" | "batchId">,
  fields: RequestFields | null,
  refusal: Refusal,
): boolean {
  const { code, status, details } = refusal;
  if (status >= 500 || unlogged.has(code)) return false;
  // Refusals are counted by model, and a name that the caller made up must not get a row of its own.
  const model = fields && catalogue.find(fields.model)?.id;
  funds.logRefusal({
    requestId: requestContext.requestId,
    projectId,
    keyId: caller.keyId,
    model: model ?? UNKNOWN_MODEL,
    stream: fields?.stream === true,
    refusedBy: code,
    estimatedTokens: 0,
    atMs: runtime.clock.nowMs(),
    status,
    batchId,
    facts: {
      ...(details.param && { param: shortenName(details.param) }),
      ...(fields && !model && { asked_model: shortenName(fields.model) }),
    },
    receiptDetails: writeReceiptDetails({
      client,
      settings: fields && describeSettings(fields),
      checks: null,
      attempts: [],
    }),
  });
  return true;
}

function shortenName(text: string): string {
  return maskSecrets(text).slice(0, MAX_NAME_LENGTH);
}

export interface RefusalContext extends HoldContext, DescribeContext, AllowedModelContext {
  /** The address at which people can look a call up. */
  readonly consoleUrl: string;
}

interface RefusedCall {
  readonly incoming: IncomingCall;
  readonly model: CatalogueModel;
  /** Null for a call that was refused before it was described for admission. */
  readonly admissionRequest: AdmissionRequest | null;
  /** The hold of a call that failed after its admission; such a call has logged its own end. */
  readonly hold?: HeldCall | null;
}

/** Logs a refused call. @returns its refusal with the `x-ratelimit-*` headers and the link to its receipt. */
export async function logRefusedCall(
  context: RefusalContext,
  { incoming, model, admissionRequest, hold = null }: RefusedCall,
  refusal: Refusal,
): Promise<Refusal> {
  const { requestId } = incoming.requestContext;
  if (!admissionRequest) logEarlyRefusal(context, incoming, incoming.request.fields, refusal);
  else if (!hold) logRefusal(context, incoming, admissionRequest, refusal);
  const rateLimits =
    hold?.admission.rateLimits ??
    (refusal instanceof NotAdmitted ? refusal.rateLimits : await readCurrentLimits(context, incoming, model));
  const url = `${context.consoleUrl}/requests/${requestId}`;
  return refusal.with({ url, headers: buildCompletionHeaders(requestId, rateLimits, context.runtime.clock) });
}

function readCurrentLimits(
  { admissions, rateLimitCache }: RefusalContext,
  { projectId }: IncomingCall,
  model: CatalogueModel,
) {
  const limits = rateLimitCache.effectiveLimits(projectId, model);
  return admissions.readStatus({ projectId, model: model.id, limits });
}
