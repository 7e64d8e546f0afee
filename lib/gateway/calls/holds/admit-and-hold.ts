import { MAX_CALL_MS, MAX_TASK_MS } from "@/lib/contract/calls/call-durations";
import {
  type CarriedMeasure,
  carriedMeasures,
  type RateLimitField,
  rateLimitFields,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import { inProgress } from "../../idempotency/idempotency-locks";
import { deriveId, type HoldDraft } from "../../ledger/funds";
import { type Admission, type AdmissionRequest, NotAdmitted } from "../../rate-limits/admissions";
import { Refusal, storeUnavailable } from "../../refusal";
import { type CallToHold, HeldCall, type HoldContext } from "./held-call";

/** Counts the prompt of a call finer. */
type CountFiner = () => Promise<AdmissionRequest>;

/** Whether a call was refused by what its prompt was estimated at. */
export function isRefusedByTokens(refusal: Refusal | null): boolean {
  const field = refusal?.code as RateLimitField | undefined;
  return refusal instanceof NotAdmitted && rateLimitFields.some((one) => one === field && countsTokens(one));
}

const countsTokens = (field: RateLimitField) => rateLimitTable[field].counts === "tokens";

/** A call before it is admitted, whose prompt is counted finer at most once. */
class AskedCall {
  constructor(
    private readonly admissions: Pick<HoldContext["admissions"], "admit">,
    private request: AdmissionRequest,
    private finer: CountFiner | undefined,
  ) {}

  async countFiner(): Promise<void> {
    const { finer } = this;
    this.finer = undefined;
    if (finer) this.request = await finer();
  }

  admit(): Admission | Promise<Admission> {
    if (!this.finer) return this.admissions.admit(this.request);
    try {
      const answer = this.admissions.admit(this.request);
      return answer instanceof Promise ? answer.catch((error) => this.#admitFiner(error)) : answer;
    } catch (error) {
      return this.#admitFiner(error);
    }
  }

  async #admitFiner(error: unknown): Promise<Admission> {
    if (!(error instanceof Refusal) || !isRefusedByTokens(error)) throw error;
    await this.countFiner();
    return this.admissions.admit(this.request);
  }
}

/**
 * Admits a call and makes its hold durable, or takes nothing. The provider may be called once this has resolved. Where
 * the store doesn't cover the hold because another process was faster, the call is admitted once more with the
 * remaining balance.
 * @throws NotAdmitted 402, 409, 429 or 503.
 */
export async function admitAndHold(
  context: HoldContext,
  request: AdmissionRequest,
  call: CallToHold,
  countFiner?: CountFiner,
): Promise<HeldCall> {
  const { admissions, funds, runtime, heldCalls } = context;
  const asked = new AskedCall(admissions, request, countFiner);
  const isTight = countFiner !== undefined && admissions.isTight(request);
  if (isTight instanceof Promise ? await isTight : isTight) await asked.countFiner();
  for (let isFirst = true; ; isFirst = false) {
    const answer = asked.admit();
    const admission = answer instanceof Promise ? await answer : answer;
    const heldAtMs = runtime.clock.monotonicMs();
    const draft = draftHold(admission, call, runtime.clock.nowMs());
    try {
      const outcome = await funds.placeHold(draft, call.task);
      if (outcome === "repeated") throw inProgress();
      if (outcome === "taken over") throw storeUnavailable();
      if (outcome === "placed") {
        if (call.task) await admissions.leave(admission, call.requestId);
        else call.idempotencyLock?.passToHold();
        const hold = new HeldCall(context, admission, draft, call, heldAtMs);
        // The task's worker ends its hold.
        if (!call.task) heldCalls.add(hold);
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
  { requestId, idempotencyLock, task, batchId }: CallToHold,
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
