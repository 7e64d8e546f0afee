import { MAX_CALL_MS, MAX_TASK_MS } from "@/lib/contract/calls/call-durations";
import { type CarriedMeasure, carriedMeasures } from "@/lib/contract/calls/rate-limit-table";
import { type Admission, type AdmissionRequest, NotAdmitted } from "../../admission/admissions";
import { deriveId, type HoldDraft } from "../../balance/funds";
import { inProgress } from "../../idempotency/idempotency-locks";
import { Refusal, storeUnavailable } from "../../refusal";
import { type CallFacts, type HoldContext, OpenHold } from "./open-hold";

/**
 * Admits a call and makes its hold durable, or takes nothing. The provider may be called once this has resolved. Where
 * the store doesn't cover the hold because another process was faster, the call is admitted once more with the
 * remaining balance.
 * @throws NotAdmitted 402, 409, 429 or 503.
 */
export async function admitAndHold(
  context: HoldContext,
  request: AdmissionRequest,
  call: CallFacts,
): Promise<OpenHold> {
  const { admissions, funds, effects, openHolds } = context;
  for (let isFirst = true; ; isFirst = false) {
    const answer = admissions.admit(request);
    const admission = answer instanceof Promise ? await answer : answer;
    const heldAtMs = effects.clock.monotonicMs();
    const draft = draftHold(admission, call, effects.clock.nowMs());
    try {
      const outcome = await funds.placeHold(draft, call.task);
      if (outcome === "repeated") throw inProgress();
      if (outcome === "taken over") throw storeUnavailable();
      if (outcome === "placed") {
        if (call.task) await admissions.leave(admission, call.requestId);
        else call.idempotencyLock?.passToHold();
        const hold = new OpenHold(context, admission, draft, call, heldAtMs);
        // The task's worker ends its hold.
        if (!call.task) openHolds.add(hold);
        return hold;
      }
      if (!isFirst) throw admissions.notCovered(admission);
    } catch (error) {
      await admissions.release(admission, { sent: false });
      throw error instanceof Refusal
        ? new NotAdmitted(error, admission.rateLimits, admission.checkFigures)
        : error;
    }
    await admissions.release(admission, { sent: false });
  }
}

function toCarried(request: AdmissionRequest): HoldDraft["carried"] {
  let carried: Partial<Record<CarriedMeasure, number>> | undefined;
  for (const measure of carriedMeasures) {
    const amount = request[measure];
    if (amount) (carried ??= {})[measure] = amount;
  }
  return carried;
}

function draftHold(
  { request, holdAmount, maxOutputTokens }: Admission,
  { requestId, idempotencyLock, task, batchId }: CallFacts,
  createdAtMs: number,
): HoldDraft {
  const { projectId, keyId, model, promptTokens, price, choices, units } = request;
  return {
    id: deriveId("hold", requestId),
    requestId,
    amount: holdAmount,
    projectId,
    keyId,
    model,
    promptTokens,
    maxCompletionTokens: maxOutputTokens * choices,
    price,
    createdAtMs,
    deadlineAtMs: createdAtMs + (task ? MAX_TASK_MS : MAX_CALL_MS),
    units,
    taskId: task?.id,
    batchId,
    carried: toCarried(request),
    idempotency: idempotencyLock?.idempotency,
  };
}
