import { DAY_MS } from "@/lib/contract/durations";
import { type CarriedMeasure, carriedMeasures } from "@/lib/contract/rate-limit-table";
import { type Admission, type AdmissionRequest, NotAdmitted } from "../../admission/admissions";
import { deriveId } from "../../balance/derive-id";
import type { HoldDraft } from "../../balance/funds";
import { Refusal, storeUnavailable } from "../../refusal";
import { inProgress } from "../requests/idempotency-locks";
import { type CallFacts, type HoldContext, OpenHold } from "./open-hold";

/** Twice the longest duration of a call: no hold is settled later than that. */
const HOLD_MS = 2 * 60 * 60 * 1000;
/** The longest duration of a task. Its worker ends it earlier. */
const TASK_HOLD_MS = DAY_MS;

/**
 * Admits a call and makes its hold durable, or takes nothing. The provider may be called once this has resolved. Where
 * the store doesn't cover the hold because another process was faster, the call is admitted once more with the remaining
 * balance.
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
    const hold = draftHold(admission, call, effects.clock.nowMs());
    try {
      const outcome = await funds.placeHold(hold, call.task);
      if (outcome === "repeated") throw inProgress();
      if (outcome === "taken over") throw storeUnavailable();
      if (outcome === "placed") {
        if (call.task) await admissions.leave(admission);
        else call.idempotencyLock?.passToHold();
        const open = new OpenHold(context, admission, hold, call);
        // The task's worker ends its hold.
        if (!call.task) openHolds.add(open);
        return open;
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
    deadlineAtMs: createdAtMs + (task ? TASK_HOLD_MS : HOLD_MS),
    units,
    taskId: task?.id,
    batchId,
    carried: toCarried(request),
    idempotency: idempotencyLock?.idempotency,
  };
}
