import { MINUTE_MS } from "@/lib/contract/durations";
import { MAX_WINDOW_MS, rateLimitHeaderFields } from "@/lib/contract/rate-limit-table";
import { type Nano, ZERO } from "@/lib/money/amount";
import type { Funds } from "../balance/funds";
import type { SpendScope, SpendTracker } from "../balance/spend-limits/spend-tracker";
import type { Clock } from "../effects";
import type { LimitWindows, PairUsage, ProjectModelPair } from "../rate-limits/limit-usage";
import type { Refusal } from "../refusal";
import type { CheckFigures } from "../requests/call-trace";
import {
  type Admission,
  type AdmissionPreview,
  type AdmissionRequest,
  type Admissions,
  type LimitScope,
  NotAdmitted,
} from "./admissions";
import { coveredOutput, maxCharge, minCharge } from "./charge-bounds";
import { EmbeddedAdmission } from "./embedded-admission";
import { InFlight } from "./in-flight";
import { estimateTokens, measureDemand } from "./measure-demand";
import { type Demand, NOTHING_USED, ProjectModelWindows } from "./project-model-windows";
import { describeUse, type RateLimitStatus } from "./rate-limit-headers";
import { balanceTooLow, limitReached, spendLimitReached, tooManyAtOnce } from "./refuse";

/** A past call that still counts in a window. */
export interface PastUse {
  readonly projectId: string;
  readonly model: string;
  readonly ageMs: number;
  readonly requests: number;
  readonly tokens: number;
  readonly images?: number;
  readonly audioMegabytes?: number;
  readonly batchInputTokens?: number;
}

type Seen = { -readonly [Check in keyof CheckFigures]: CheckFigures[Check] };

const ORIGIN_MS = MAX_WINDOW_MS + MINUTE_MS;

/**
 * Admissions from the memory of this process. Exact for a single process; with several, each counts its own calls only.
 */
export class EmbeddedAdmissions implements Admissions, LimitWindows {
  readonly #inFlight: InFlight;
  readonly #windows = new Map<string, Map<string, ProjectModelWindows>>();
  readonly #onSpent = (scope: SpendScope) => this.spend.refuse(scope);

  constructor(
    private readonly funds: Pick<Funds, "available">,
    private readonly spend: SpendTracker,
    private readonly settings: {
      readonly clock: Clock;
      readonly currency: string;
      readonly maxConcurrentRequests?: number;
    },
  ) {
    this.#inFlight = new InFlight(settings.maxConcurrentRequests ?? 2_000);
  }

  get inFlight(): number {
    return this.#inFlight.total;
  }

  refuseIfTooManyInFlight(keyId: string): void {
    if (!this.#inFlight.hasRoom(keyId)) throw tooManyAtOnce(this.#inFlight.max);
  }

  admit(request: AdmissionRequest): Admission {
    const { projectId, keyId, model } = request;
    const decision = this.#decide(request, this.#onSpent);
    const { maxOutputTokens, holdAmount, estimatedTokens, demand, takenAtMs, seen } = decision;
    this.findWindows(projectId, model).take(demand, takenAtMs);
    this.spend.hold(projectId, holdAmount);
    this.#inFlight.enter(keyId);
    return new EmbeddedAdmission(
      this,
      request,
      holdAmount,
      maxOutputTokens,
      estimatedTokens,
      takenAtMs,
      seen,
    );
  }

  preview(request: AdmissionRequest): AdmissionPreview {
    try {
      const { demand, ...figures } = this.#decide(request, () => {});
      return { ...figures, refusal: null, limits: this.#measure(request, demand) };
    } catch (refusal) {
      if (!(refusal instanceof NotAdmitted)) throw refusal;
      const { maxOutputTokens } = request;
      const estimatedTokens = estimateTokens(request, maxOutputTokens);
      const limits = this.#measure(request, measureDemand(1, estimatedTokens, request));
      const holdAmount = maxCharge(request, maxOutputTokens);
      return { refusal, holdAmount, maxOutputTokens, estimatedTokens, limits };
    }
  }

  settle(
    { request, holdAmount, estimatedTokens, takenAtMs }: Admission,
    tokens: number,
    charged: Nano,
  ): void {
    const windows = this.findWindows(request.projectId, request.model);
    if (tokens < estimatedTokens) windows.refund({ tokens: estimatedTokens - tokens }, takenAtMs);
    else windows.takeLate(tokens - estimatedTokens, request.limits, this.now());
    this.spend.settle(request.projectId, holdAmount, charged, this.settings.clock.nowMs());
    this.#inFlight.leave(request.keyId);
  }

  release({ request, holdAmount, estimatedTokens, takenAtMs }: Admission, end: { sent: boolean }): void {
    const windows = this.findWindows(request.projectId, request.model);
    windows.refund(measureDemand(end.sent ? 0 : 1, estimatedTokens, request), takenAtMs);
    this.spend.release(request.projectId, holdAmount);
    this.#inFlight.leave(request.keyId);
  }

  leave({ request }: Admission): void {
    this.#inFlight.leave(request.keyId);
  }

  wait(keyId: string): () => void {
    this.#inFlight.enter(keyId);
    return () => this.#inFlight.leave(keyId);
  }

  settleHeld({ projectId, amount }: { projectId: string; amount: Nano }, charged: Nano): void {
    this.spend.settle(projectId, amount, charged, this.settings.clock.nowMs());
  }

  notCovered({ request, holdAmount }: Admission): Refusal {
    const min = minCharge(request);
    return this.#balanceTooLow(this.funds.available < min ? min : holdAmount);
  }

  readStatus({ projectId, model, limits }: LimitScope): RateLimitStatus {
    const windows = this.findWindows(projectId, model);
    const nowMs = this.now();
    const { requests, tokens } = rateLimitHeaderFields;
    const clock = { nowMs, originMs: ORIGIN_MS };
    return {
      requests: describeUse(windows, requests, limits[requests], clock),
      tokens: describeUse(windows, tokens, limits[tokens], clock),
    };
  }

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
    for (const { projectId, model, ageMs, ...used } of calls) {
      if (ageMs >= ORIGIN_MS) continue;
      // If the wall clock was set back, a time in the future counts as now, so that it doesn't free capacity.
      this.findWindows(projectId, model).takePast(used, Math.max(0, ageMs), this.now());
    }
  }

  findWindows(projectId: string, model: string): ProjectModelWindows {
    let models = this.#windows.get(projectId);
    if (!models) this.#windows.set(projectId, (models = new Map()));
    let windows = models.get(model);
    if (!windows) models.set(model, (windows = new ProjectModelWindows()));
    return windows;
  }

  /** The windows' clock: monotonic milliseconds, offset so that restored calls have positive times. */
  now(): number {
    return this.settings.clock.monotonicMs() + ORIGIN_MS;
  }

  /**
   * Decides about a call without taking anything. `onSpent` receives the scope of a spend limit that refuses.
   * @throws NotAdmitted
   */
  #decide(request: AdmissionRequest, onSpent: (scope: SpendScope) => void) {
    const { projectId, keyId, model, limits } = request;
    const inFlight = [this.#inFlight.count(keyId), this.#inFlight.max] as const;
    const figures: Seen = { inFlight, available: null, spending: null, limits: null };
    if (!this.#inFlight.hasRoom(keyId))
      throw this.#notAdmitted(request, tooManyAtOnce(this.#inFlight.max), figures);
    const { maxOutputTokens, holdAmount } = this.#hold(request, figures, onSpent);
    const estimatedTokens = estimateTokens(request, maxOutputTokens);
    const demand = measureDemand(1, estimatedTokens, request);
    const takenAtMs = this.now();
    figures.limits = {};
    const breach = this.findWindows(projectId, model).findBreach(limits, demand, takenAtMs, figures.limits);
    if (breach) throw this.#notAdmitted(request, limitReached(breach, projectId, model), figures);
    return { maxOutputTokens, holdAmount, estimatedTokens, demand, takenAtMs, seen: figures };
  }

  #measure({ projectId, model, limits }: AdmissionRequest, demand: Demand) {
    return this.findWindows(projectId, model).measure(limits, demand, this.now());
  }

  /**
   * The largest output that the balance and the spend limits cover.
   * @throws NotAdmitted 402 where they don't cover one token per choice.
   */
  #hold(
    request: AdmissionRequest,
    seen: Seen,
    onSpent: (scope: SpendScope) => void,
  ): Pick<Admission, "maxOutputTokens" | "holdAmount"> {
    const { projectId, maxOutputTokens } = request;
    const { available } = this.funds;
    seen.available = available;
    const room = this.spend.roomFor(projectId, this.settings.clock.nowMs());
    const holdAmount = maxCharge(request, maxOutputTokens);
    if (room) seen.spending = { project: room.scope, spent: room.spent, limit: room.limit };
    if (holdAmount <= available && (!room || holdAmount <= room.remaining))
      return { maxOutputTokens, holdAmount };
    const min = Math.min(1, maxOutputTokens);
    let covered = coveredOutput(request, available);
    if (covered < min) {
      throw this.#notAdmitted(request, this.#balanceTooLow(minCharge(request)), { ...seen, spending: null });
    }
    if (room) covered = Math.min(covered, coveredOutput(request, room.remaining));
    if (room && covered < min) {
      onSpent(room.scope);
      const refusal = spendLimitReached(room, minCharge(request), this.settings.currency);
      throw this.#notAdmitted(request, refusal, seen);
    }
    return { maxOutputTokens: covered, holdAmount: maxCharge(request, covered) };
  }

  #balanceTooLow(required: Nano): Refusal {
    const { available } = this.funds;
    return balanceTooLow(available < ZERO ? ZERO : available, required, this.settings.currency);
  }

  #notAdmitted(request: AdmissionRequest, refusal: Refusal, seen: Seen): NotAdmitted {
    return new NotAdmitted(refusal, this.readStatus(request), seen);
  }
}
