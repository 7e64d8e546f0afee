import { atBatchRate } from "../models/batch-rate";
import { openConnection } from "../providers/open-connection";
import type { ProviderConnection } from "../providers/provider-connection";
import type { AdmissionRequest } from "../rate-limits/admissions";
import { Refusal } from "../refusal";
import { AdmittedCall, type AnswerContext } from "./answers/admitted-call";
import { answer } from "./answers/answer";
import { findAllowedModel } from "./find-allowed-model";
import { admitAndHold } from "./holds/admit-and-hold";
import { describeForAdmission } from "./holds/describe-for-admission";
import type { OpenHold } from "./holds/open-hold";
import type { PromptCounter } from "./holds/prompt-counter";
import { logRefusedCall, type RefusalContext } from "./log-refused-call";
import { findCounting } from "./requests/counting";
import type { IncomingCall } from "./requests/incoming-call";
import type { CompletionRequest } from "./requests/prepared-request";
import { refuseCallback } from "./requests/refuse-order-fields";

export interface CompletionContext extends RefusalContext, AnswerContext {
  readonly promptCounter: Pick<PromptCounter, "count" | "learn">;
}

/**
 * Answers a call: admits it, makes its hold durable, calls the provider, and settles before the reply ends. It
 * reserves a place at a provider first, so that a call without one counts nowhere.
 * @throws Refusal with the `x-ratelimit-*` headers once the model is known.
 */
export async function complete(
  context: CompletionContext,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const { exchange, request, idempotencyLock, batchId } = incoming;
  const { clock } = context.effects;
  const callable = findAllowedModel(
    context,
    incoming.projectId,
    request.fields.model,
    incoming.caller.scope,
    request.endpoint,
  );
  const model = batchId === undefined ? callable : atBatchRate(callable);
  let admissionRequest: AdmissionRequest | null = null;
  let connection: ProviderConnection | null = null;
  let hold: OpenHold | null = null;
  try {
    refuseCallback(request.fields);
    const estimating = request.estimate(findCounting(context.directory, model));
    const estimate = estimating instanceof Promise ? await estimating : estimating;
    admissionRequest = describeForAdmission(context, incoming, model, estimate);
    connection = openConnection(context, model.routes, admissionRequest);
    const stream = request.fields.stream === true;
    const startedAtMs = clock.monotonicMs();
    const call = { requestId: exchange.requestId, stream, idempotencyLock, batchId, startedAtMs };
    const asked = admissionRequest;
    const countFiner = () => context.promptCounter.count(model, request, asked);
    hold = await admitAndHold(context, asked, call, countFiner);
    incoming.capture?.noteAdmitted();
    return await answer(context, new AdmittedCall(clock, incoming, model, hold, connection));
  } catch (error) {
    connection?.end();
    if (!(error instanceof Refusal)) throw error;
    throw await logRefusedCall(context, { incoming, model, admissionRequest, hold }, error);
  }
}
