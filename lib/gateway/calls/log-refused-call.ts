import type { CatalogueModel } from "../models/catalogue";
import { type AdmissionRequest, NotAdmitted } from "../rate-limits/admissions";
import type { Refusal } from "../refusal";
import type { AllowedModelContext } from "./call-access";
import type { DescribeContext } from "./holds/admit-and-hold";
import type { HeldCall, HoldContext } from "./holds/held-call";
import { logEarlyRefusal, logRefusal } from "./receipts/log-refusal";
import { buildCompletionHeaders } from "./replies/reply-client";
import type { IncomingCall } from "./requests/incoming-call";

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
