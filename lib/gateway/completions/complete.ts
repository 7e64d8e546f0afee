import { type AdmissionRequest, NotAdmitted } from "../admission/admissions";
import type { CatalogueModel } from "../models/catalogue";
import { Refusal } from "../refusal";
import { admitAndHold } from "./admit-and-hold";
import { answer } from "./answer";
import { type CallableModelContext, callableModel } from "./callable-model";
import { refuseMediaFields } from "./chat-request";
import { type AnswerContext, Completion } from "./completion";
import { completionHeaders } from "./completion-headers";
import { type DescribeContext, describeForAdmission } from "./describe-for-admission";
import type { IncomingCall } from "./incoming-call";
import { logEarlyRefusal, logRefusal } from "./log-refusal";
import type { LedgerContext, OpenHold } from "./open-hold";
import { promptReader } from "./prompt-reader";
import { openConnection, type ProviderConnection } from "./provider-connection";

export interface CompletionContext
  extends LedgerContext,
    AnswerContext,
    CallableModelContext,
    DescribeContext {
  /** The address at which people can look a call up. */
  readonly consoleUrl: string;
}

/**
 * Answers a chat request: admits it, makes its hold durable, calls the provider, and settles before the reply ends. The place
 * at a provider comes first: where there is none, nothing is counted.
 * @throws Refusal whatever stands in the way, with the `x-ratelimit-*` headers once the model is known.
 */
export async function complete(context: CompletionContext, incoming: IncomingCall): Promise<Response> {
  const { exchange, request, takenKey } = incoming;
  const { clock } = context.effects;
  const model = callableModel(
    context,
    incoming.projectId,
    request.fields.model,
    incoming.caller.scope,
    request.endpoint,
  );
  let admissionRequest: AdmissionRequest | null = null;
  let connection: ProviderConnection | null = null;
  let open: OpenHold | null = null;
  try {
    refuseMediaFields(request);
    const estimate = request.estimate(promptReader(context.directory, model));
    const prompt = estimate instanceof Promise ? await estimate : estimate;
    admissionRequest = describeForAdmission(context, incoming, model, prompt);
    connection = openConnection(context, model.routes, admissionRequest);
    const stream = request.fields.stream === true;
    const call = { requestId: exchange.requestId, stream, takenKey, startedAtMs: clock.monotonicMs() };
    open = await admitAndHold(context, admissionRequest, call);
    incoming.capture?.admitted();
    return await answer(context, new Completion(clock, incoming, model, open, connection));
  } catch (error) {
    connection?.end();
    if (!(error instanceof Refusal)) throw error;
    if (!admissionRequest) logEarlyRefusal(context, incoming, request.fields, error);
    else if (!open) logRefusal(context, incoming, admissionRequest, error);
    const rateLimits = await rateLimitStatus(context, incoming, model, open ?? error);
    const url = `${context.consoleUrl}/requests/${exchange.requestId}`;
    throw error.with({ url, headers: completionHeaders(exchange.requestId, rateLimits, clock) });
  }
}

/** The limits after the last question to admission. */
function rateLimitStatus(
  { admissions, rateLimitMirror }: CompletionContext,
  { projectId }: IncomingCall,
  model: CatalogueModel,
  last: OpenHold | Refusal,
) {
  if (last instanceof NotAdmitted) return last.rateLimits;
  if (!(last instanceof Refusal)) return last.admission.rateLimits;
  const limits = rateLimitMirror.limitsOf(projectId, model);
  return admissions.look({ projectId, model: model.id, limits });
}
