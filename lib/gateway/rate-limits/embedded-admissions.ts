import { MAX_WINDOW_MS, type Measure, rateLimitHeaderFields } from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import { type Nano, ZERO } from "@/lib/money/amount";
import type { Clock } from "../clock";
import type { Funds } from "../ledger/funds";
import type { SpendHeadroom, SpendTracker } from "../ledger/spend-limits/spend-tracker";
import type { CheckFigures } from "../log/requests/receipt-details";
import type { Refusal } from "../refusal";
import type { Scope } from "../scope";
import { balanceTooLow, limitReached, spendLimitReached, tooManyAtOnce } from "./admission-refusals";
import {
  type Admission,
  type AdmissionPreview,
  type AdmissionRequest,
  type Admissions,
  computeCoveredOutput,
  computeMaxCharge,
  computeMinCharge,
  estimateTokens,
  findOutputToHold,
  type HeldCall,
  isTightFor,
  type LimitedPair,
  NotAdmitted,
} from "./admissions";
import {
  type Demand,
  describeUse,
  NOTHING_USED,
  type PairUsage,
  type ProjectModelPair,
  ProjectModelWindows,
  type RateLimitStatus,
} from "./project-model-windows";

/** The figures of a decision under way. */
type Figures = { -readonly [Check in keyof CheckFigures]: CheckFigures[Check] };

export const DEFAULT_MAX_CONCURRENT_REQUESTS = 2_000;

/**
 * Admissions from the memory of this process. Exact for a single process; with several, each counts its own calls only.
 */
export class EmbeddedAdmissions implements Admissions {
  readonly windows: EmbeddedWindows;
  readonly #maxInFlight: number;
  #inFlight = 0;
  readonly #held = new HeldAdmissions();
  readonly #onLimitReached = (scope: Scope) => this.spend.noteRefusing(scope);

  constructor(
    private readonly funds: Pick<Funds, "available">,
    private readonly spend: SpendTracker,
    private readonly settings: {
      readonly clock: Clock;
      readonly currency: string;
      readonly maxConcurrentRequests?: number;
    },
  ) {
    this.windows = new EmbeddedWindows(settings.clock);
    this.#maxInFlight = settings.maxConcurrentRequests ?? DEFAULT_MAX_CONCURRENT_REQUESTS;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  refuseIfTooManyInFlight(): void {
    if (this.#inFlight >= this.#maxInFlight) throw tooManyAtOnce(this.#maxInFlight);
  }

  isTight(request: AdmissionRequest): boolean {
    const { maxPromptTokens, promptTokens, projectId } = request;
    if (maxPromptTokens === undefined || maxPromptTokens <= promptTokens) return false;
    const headroom = this.spend.headroomFor(projectId, this.settings.clock.nowMs());
    return isTightFor(request, this.#findLeast(headroom));
  }

  admit(request: AdmissionRequest): Admission {
    const { projectId, model } = request;
    const decision = this.#decide(request, this.#onLimitReached);
    const { maxOutputTokens, holdAmount, estimatedTokens, demand, takenAtMs, figures } = decision;
    this.windows.open(projectId, model).take(demand, takenAtMs);
    this.spend.hold(projectId, holdAmount);
    this.#inFlight++;
    return new EmbeddedAdmission(this.windows, {
      request,
      holdAmount,
      maxOutputTokens,
      estimatedTokens,
      takenAtMs,
      checkFigures: figures,
    });
  }

  preview(request: AdmissionRequest): AdmissionPreview {
    try {
      const { maxOutputTokens, holdAmount, estimatedTokens, demand } = this.#decide(request, () => {});
      const limits = this.#measure(request, demand);
      return { refusal: null, holdAmount, maxOutputTokens, estimatedTokens, limits };
    } catch (refusal) {
      if (!(refusal instanceof NotAdmitted)) throw refusal;
      const { maxOutputTokens } = request;
      const estimatedTokens = estimateTokens(request, maxOutputTokens);
      const limits = this.#measure(request, measureDemand(1, estimatedTokens, request));
      const holdAmount = computeMaxCharge(request, maxOutputTokens);
      return { refusal, holdAmount, maxOutputTokens, estimatedTokens, limits };
    }
  }

  settle(
    { request, holdAmount, estimatedTokens, takenAtMs }: Admission,
    tokens: number,
    charged: Nano,
  ): void {
    const windows = this.windows.open(request.projectId, request.model);
    const times = { takenAtMs, nowMs: this.windows.now() };
    windows.correctTokens({ estimated: estimatedTokens, counted: tokens }, request.limits, times);
    this.spend.settle(request.projectId, holdAmount, charged, this.settings.clock.nowMs());
    this.#inFlight--;
  }

  release(admission: Admission, end: { sent: boolean }): void {
    this.#refund(admission, end);
    this.spend.release(admission.request.projectId, admission.holdAmount);
    this.#inFlight--;
  }

  leave(admission: Admission, taskRequestId?: string): void {
    this.#inFlight--;
    if (taskRequestId !== undefined) this.#held.add(taskRequestId, admission);
  }

  countWaitingClient(): () => void {
    this.#inFlight++;
    return () => {
      this.#inFlight--;
    };
  }

  settleHeld({ requestId, projectId, amount }: HeldCall, charged: Nano): void {
    this.#held.take(requestId);
    this.spend.settle(projectId, amount, charged, this.settings.clock.nowMs());
  }

  releaseHeld({ requestId, projectId, amount }: HeldCall, end: { sent: boolean }): void {
    const admission = this.#held.take(requestId);
    if (admission) this.#refund(admission, end);
    this.spend.release(projectId, amount);
  }

  notCovered({ request, holdAmount }: Admission): Refusal {
    const min = computeMinCharge(request);
    return this.#balanceTooLow(this.funds.available < min ? min : holdAmount, request);
  }

  readStatus(scope: LimitedPair): RateLimitStatus {
    return this.windows.readStatus(scope);
  }

  /**
   * Decides about a call without taking anything. `onLimitReached` receives the scope of a spend limit that refuses.
   * @throws NotAdmitted
   */
  #decide(request: AdmissionRequest, onLimitReached: (scope: Scope) => void) {
    const { projectId, model, limits } = request;
    const inFlight = [this.#inFlight, this.#maxInFlight] as const;
    const figures: Figures = { inFlight, available: null, spending: null, limits: null };
    if (this.#inFlight >= this.#maxInFlight)
      throw this.#notAdmitted(request, tooManyAtOnce(this.#maxInFlight), figures);
    const { maxOutputTokens, holdAmount } = this.#findCoveredOutput(request, figures, onLimitReached);
    const estimatedTokens = estimateTokens(request, maxOutputTokens);
    const demand = measureDemand(1, estimatedTokens, request);
    const takenAtMs = this.windows.now();
    figures.limits = {};
    const breach = this.windows.find(projectId, model).findBreach(limits, demand, takenAtMs, figures.limits);
    if (breach) throw this.#notAdmitted(request, limitReached(breach, projectId, model), figures);
    return { maxOutputTokens, holdAmount, estimatedTokens, demand, takenAtMs, figures };
  }

  #refund({ request, estimatedTokens, takenAtMs }: Admission, { sent }: { sent: boolean }): void {
    const windows = this.windows.open(request.projectId, request.model);
    windows.refund(measureDemand(sent ? 0 : 1, estimatedTokens, request), takenAtMs);
  }

  #measure({ projectId, model, limits }: AdmissionRequest, demand: Demand) {
    return this.windows.find(projectId, model).measure(limits, demand, this.windows.now());
  }

  /**
   * The largest output that the balance and the spend limits cover.
   * @throws NotAdmitted 402 where they don't cover one token per choice.
   */
  #findCoveredOutput(
    asked: AdmissionRequest,
    figures: Figures,
    onLimitReached: (scope: Scope) => void,
  ): Pick<Admission, "maxOutputTokens" | "holdAmount"> {
    const { available } = this.funds;
    figures.available = available;
    const headroom = this.spend.headroomFor(asked.projectId, this.settings.clock.nowMs());
    const maxCharge = computeMaxCharge(asked, asked.maxOutputTokens);
    const maxOutputTokens = findOutputToHold(asked, maxCharge, this.#findLeast(headroom));
    const isWhole = maxOutputTokens === asked.maxOutputTokens;
    const request = isWhole ? asked : { ...asked, maxOutputTokens };
    const holdAmount = isWhole ? maxCharge : computeMaxCharge(request, maxOutputTokens);
    if (headroom)
      figures.spending = { project: headroom.scope, spent: headroom.spent, limit: headroom.limit };
    if (holdAmount <= available && (!headroom || holdAmount <= headroom.remaining))
      return { maxOutputTokens, holdAmount };
    const min = Math.min(1, maxOutputTokens);
    let covered = computeCoveredOutput(request, available);
    if (covered < min) {
      throw this.#notAdmitted(request, this.#balanceTooLow(computeMinCharge(request), request), {
        ...figures,
        spending: null,
      });
    }
    if (headroom) covered = Math.min(covered, computeCoveredOutput(request, headroom.remaining));
    if (headroom && covered < min) {
      onLimitReached(headroom.scope);
      const refusal = spendLimitReached(headroom, computeMinCharge(request), this.settings.currency);
      throw this.#notAdmitted(request, refusal, figures);
    }
    return { maxOutputTokens: covered, holdAmount: computeMaxCharge(request, covered) };
  }

  /** What the balance and the spend limits leave. */
  #findLeast(headroom: SpendHeadroom | null): Nano {
    const { available } = this.funds;
    return headroom && headroom.remaining < available ? headroom.remaining : available;
  }

  #balanceTooLow(required: Nano, request: AdmissionRequest): Refusal {
    const available = this.funds.available < ZERO ? ZERO : this.funds.available;
    return balanceTooLow(available, required, this.settings.currency, request);
  }

  #notAdmitted(request: AdmissionRequest, refusal: Refusal, figures: Figures): NotAdmitted {
    return new NotAdmitted(refusal, this.readStatus(request), figures);
  }
}

/** Returns a call's demand on each limit. */
function measureDemand(
  requests: number,
  tokens: number,
  { images = 0, audioMegabytes = 0, batchInputTokens = 0 }: AdmissionRequest,
): Readonly<Record<Measure, number>> {
  return { requests, tokens, images, audioMegabytes, batchInputTokens };
}

/** Reads `rateLimits` when asked, not when the call was admitted. */
class EmbeddedAdmission implements Admission {
  readonly request: AdmissionRequest;
  readonly holdAmount: Nano;
  readonly maxOutputTokens: number;
  readonly estimatedTokens: number;
  readonly takenAtMs: number;
  readonly checkFigures: CheckFigures;

  constructor(
    private readonly windows: { readStatus(limited: LimitedPair): RateLimitStatus },
    taken: Omit<Admission, "rateLimits">,
  ) {
    this.request = taken.request;
    this.holdAmount = taken.holdAmount;
    this.maxOutputTokens = taken.maxOutputTokens;
    this.estimatedTokens = taken.estimatedTokens;
    this.takenAtMs = taken.takenAtMs;
    this.checkFigures = taken.checkFigures;
  }

  get rateLimits(): RateLimitStatus {
    return this.windows.readStatus(this.request);
  }
}

/**
 * The admissions of this process whose holds outlive their calls, by request id, for as long as they count in a limit.
 */
class HeldAdmissions {
  readonly #byRequest = new Map<string, Admission>();

  add(requestId: string, admission: Admission): void {
    // Oldest first: a task that another process ends stays here until it counts in no limit.
    for (const [id, { takenAtMs }] of this.#byRequest) {
      if (takenAtMs > admission.takenAtMs - MAX_WINDOW_MS) break;
      this.#byRequest.delete(id);
    }
    this.#byRequest.set(requestId, admission);
  }

  /**
   * Returns an admission and forgets it; undefined if another process, or this one before its restart, admitted the
   * call.
   */
  take(requestId: string): Admission | undefined {
    const admission = this.#byRequest.get(requestId);
    this.#byRequest.delete(requestId);
    return admission;
  }
}

/** A past call that still counts in a window. */
interface PastUse extends Demand, ProjectModelPair {
  /** When it was made, by the wall clock. */
  readonly atMs: number;
}

/** The windows of a pair that nothing has counted in. */
const unused = new ProjectModelWindows();
const ORIGIN_MS = MAX_WINDOW_MS + MINUTE_MS;
/** The slots of every window, however wide, begin at its multiples. */
const WIDEST_SLOT_MS = 512_000;

/** The windows of each project and model, in the memory of this process. */
class EmbeddedWindows {
  readonly #windows = new Map<string, Map<string, ProjectModelWindows>>();
  readonly #originMs: number;
  /** How far the wall clock is ahead of the windows' clock: a multiple of every slot's width. */
  readonly #aheadMs: number;

  /**
   * Slots begin at the same moments of the wall clock in each process. So a restart moves no call into a later slot,
   * and what a refusal said about the next try stays true.
   */
  constructor(private readonly clock: Clock) {
    const aheadMs = clock.nowMs() - clock.monotonicMs() - ORIGIN_MS;
    this.#aheadMs = Math.floor(aheadMs / WIDEST_SLOT_MS) * WIDEST_SLOT_MS;
    this.#originMs = ORIGIN_MS + aheadMs - this.#aheadMs;
  }

  /** The windows' clock: monotonic milliseconds, offset so that restored calls have positive times. */
  now(): number {
    return this.clock.monotonicMs() + this.#originMs;
  }

  /** The windows of a pair, to read them. */
  find(
    projectId: string,
    model: string,
  ): Pick<ProjectModelWindows, "findBreach" | "measure" | "used" | "msUntilEmpty"> {
    return this.#windows.get(projectId)?.get(model) ?? unused;
  }

  /** The windows of a pair, to count in them. */
  open(projectId: string, model: string): ProjectModelWindows {
    let models = this.#windows.get(projectId);
    if (!models) this.#windows.set(projectId, (models = new Map()));
    let windows = models.get(model);
    if (!windows) models.set(model, (windows = new ProjectModelWindows()));
    return windows;
  }

  readStatus({ projectId, model, limits }: LimitedPair): RateLimitStatus {
    const windows = this.find(projectId, model);
    const nowMs = this.now();
    const { requests, tokens } = rateLimitHeaderFields;
    const clock = { nowMs, originMs: this.#originMs };
    return {
      requests: describeUse(windows, requests, limits[requests], clock),
      tokens: describeUse(windows, tokens, limits[tokens], clock),
    };
  }

  /** The pairs for which a call was admitted since this process began, or for which earlier calls still count. */
  touched(): readonly ProjectModelPair[] {
    return [...this.#windows].flatMap(([projectId, models]) =>
      [...models.keys()].map((model) => ({ projectId, model })),
    );
  }

  readUsage(pairs: readonly ProjectModelPair[]): readonly PairUsage[] {
    const nowMs = this.now();
    return pairs.map(({ projectId, model }) => ({
      projectId,
      model,
      used: this.#windows.get(projectId)?.get(model)?.usedByLimit(nowMs) ?? NOTHING_USED,
    }));
  }

  /** Fills the windows at start with past calls, oldest first. */
  restore(calls: Iterable<PastUse>): void {
    const nowMs = this.now();
    for (const { projectId, model, atMs, ...used } of calls) {
      const ageMs = nowMs - (atMs - this.#aheadMs);
      if (ageMs >= ORIGIN_MS) continue;
      // If the wall clock was set back, a time in the future counts as now, so that it doesn't free capacity.
      this.open(projectId, model).takePast(used, Math.max(0, ageMs), nowMs);
    }
  }
}
