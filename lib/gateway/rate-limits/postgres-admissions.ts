import { computeMonthEndMs } from "@/lib/contract/calendar-month";
import {
  type RateLimitField,
  rateLimitHeaderFields,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import { type Nano, toNano, ZERO } from "@/lib/money/amount";
import type { Clock } from "../clock";
import { TakenElsewhere } from "../idempotency/idempotency";
import type { HoldDraft } from "../ledger/funds";
import type { SpendHeadroom } from "../ledger/spend-limits/spend-tracker";
import type { PostgresFunds } from "../ledger/ticks/postgres-funds";
import type { Answer, AskFacts, TickPair } from "../ledger/ticks/tick";
import { OUTCOMES } from "../ledger/ticks/tick-procedure.sql";
import type { CheckFigures } from "../log/requests/receipt-details";
import { type Refusal, storeUnavailable } from "../refusal";
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
  findOutputToHold,
  isTightFor,
  type LimitedPair,
  NotAdmitted,
  type Placed,
  type Placement,
} from "./admissions";
import type { LimitWindows } from "./limit-usage";
import { computeWait } from "./pair-wait";
import type { Breach, RateLimitStatus } from "./project-model-windows";

/**
 * A call that was asked for so often meets others that take the rest of the balance each time, or changes that are made
 * faster than they are read.
 */
const MAX_TRIES = 8;
/** For so long the use of a limit is what this process has last found. */
const KNOWN_MS = 250;
const NOTHING_USED: readonly number[] = rateLimitRows.map(() => 0);

/** What is shared with the rest of the process. */
interface BooksSettings {
  readonly clock: Clock;
  readonly currency: string;
  readonly maxConcurrentRequests: number;
  findSpendLimit(scope: Scope): Nano | null;
  noteRefusing(scope: Scope): void;
  /** The number of the last change that this process knows. */
  readFeed(): number;
  /** Reads what other processes have changed. */
  catchUp(): Promise<void>;
}

/** What is asked for: a call with its hold, an admission alone, or what would be answered. */
interface Asking {
  readonly placement?: Placement;
  readonly recheck: ((asked: AdmissionRequest) => AdmissionRequest) | undefined;
  readonly isPreview?: boolean;
}

/** A call as one statement admits it. */
interface Decided {
  readonly answer: Answer;
  readonly admission: Admission;
  readonly draft: HoldDraft | null;
}

/** Admissions by PostgreSQL, which decides about limits, balance and hold in one statement, for all processes. */
export class PostgresAdmissions implements Admissions {
  #inFlight = 0;
  constructor(
    private readonly funds: PostgresFunds,
    /** What all processes use of the limits. */
    readonly windows: LimitWindows,
    private readonly settings: BooksSettings,
  ) {}

  get inFlight(): number {
    return this.#inFlight;
  }

  refuseIfTooManyInFlight(): void {
    const { maxConcurrentRequests } = this.settings;
    if (this.#inFlight >= maxConcurrentRequests) throw tooManyAtOnce(maxConcurrentRequests);
  }

  isTight(request: AdmissionRequest): boolean {
    const { maxPromptTokens, promptTokens } = request;
    if (maxPromptTokens === undefined || maxPromptTokens <= promptTokens) return false;
    return isTightFor(request, this.funds.available);
  }

  readonly place = async (asked: AdmissionRequest, placement: Placement): Promise<Placed> => {
    const { admission, draft } = await this.#decide(asked, { placement, recheck: placement.recheck });
    this.#inFlight++;
    if (!draft) throw new TypeError("A placed call has a hold");
    return { admission, draft };
  };

  async admit(asked: AdmissionRequest, recheck?: Placement["recheck"]): Promise<Admission> {
    const { admission, answer } = await this.#decide(asked, { recheck });
    this.#inFlight++;
    const { request, estimatedTokens } = admission;
    this.funds.noteTaken(admission, {
      pair: toPair(request),
      needs: listNeeds(request, estimatedTokens),
      answer,
    });
    return admission;
  }

  async preview(request: AdmissionRequest): Promise<AdmissionPreview> {
    try {
      const { admission, answer } = await this.#decide(request, { recheck: undefined, isPreview: true });
      const { holdAmount, maxOutputTokens, estimatedTokens } = admission;
      const limits = measureLimits(request, listNeeds(request, estimatedTokens), answer.used);
      return { refusal: null, holdAmount, maxOutputTokens, estimatedTokens, limits };
    } catch (refusal) {
      if (!(refusal instanceof NotAdmitted)) throw refusal;
      const { maxOutputTokens } = request;
      const estimatedTokens = estimateTokens(request, maxOutputTokens);
      const used = this.funds.usedBy(request).used;
      const limits = measureLimits(request, listNeeds(request, estimatedTokens), used);
      const holdAmount = computeMaxCharge(request, maxOutputTokens);
      return { refusal, holdAmount, maxOutputTokens, estimatedTokens, limits };
    }
  }

  /** The statement that ended the hold has corrected the limits. */
  settle(): void {
    this.#inFlight--;
  }

  release(admission: Admission): void | Promise<void> {
    this.#inFlight--;
    return this.funds.giveBack(admission);
  }

  leave(admission: Admission): void {
    this.#inFlight--;
    this.funds.forgetTaken(admission);
  }

  countWaitingClient(): () => void {
    this.#inFlight++;
    return () => {
      this.#inFlight--;
    };
  }

  settleHeld(): void {}
  releaseHeld(): void {}

  notCovered({ request, holdAmount }: Admission): Refusal {
    return balanceTooLow(this.funds.available, holdAmount, this.settings.currency, request);
  }

  /** As this process's last tick with the pair has found it, or as it stands now if that was a while ago. */
  readStatus(limited: LimitedPair): RateLimitStatus | Promise<RateLimitStatus> {
    const { used, atMs } = this.funds.usedBy(limited);
    const known = describeStatus(limited, used, atMs);
    const nowMs = this.settings.clock.monotonicMs();
    if (nowMs - atMs <= KNOWN_MS || !this.funds.isHealthy()) return known;
    return this.#readStatusNow(limited, nowMs).catch(() => known);
  }

  async #readStatusNow(limited: LimitedPair, nowMs: number): Promise<RateLimitStatus> {
    const [usage] = await this.windows.readUsage([limited]);
    const used = rateLimitRows.map(({ field }) => usage?.used[field] ?? 0);
    return describeStatus(limited, used, nowMs);
  }

  /** Asks until the call is admitted, each time with what the balance and the spend limits cover of its output. */
  async #decide(
    asked: AdmissionRequest,
    { placement, recheck, isPreview = false }: Asking,
  ): Promise<Decided> {
    const { funds, settings } = this;
    let request = recheck?.(asked) ?? asked;
    let maxOutputTokens = findOutputToHold(
      request,
      computeMaxCharge(request, request.maxOutputTokens),
      funds.available,
    );
    for (let tries = 1; ; tries++) {
      // A change that was read since the call was described, or while it waits to be sent, counts as well.
      const feed = settings.readFeed();
      if (tries > 1) request = recheck?.(request) ?? request;
      const inFlight = [this.#inFlight, settings.maxConcurrentRequests] as const;
      const figures: CheckFigures = { inFlight, available: null, spending: null, limits: null };
      if (inFlight[0] >= inFlight[1])
        throw this.#notAdmitted(request, tooManyAtOnce(inFlight[1]), figures, NOTHING_USED);
      const held = maxOutputTokens === request.maxOutputTokens ? request : { ...request, maxOutputTokens };
      const holdAmount = computeMaxCharge(held, maxOutputTokens);
      const estimatedTokens = estimateTokens(request, maxOutputTokens);
      const needs = listNeeds(request, estimatedTokens);
      const decision = { request, holdAmount, maxOutputTokens, estimatedTokens };
      const draft = placement?.draft(decision, funds.nowMs()) ?? null;
      const spendLimits = [
        settings.findSpendLimit(null),
        settings.findSpendLimit(request.projectId),
      ] as const;
      const amount = placement || isPreview ? holdAmount : ZERO;
      const pair = toPair(request);
      const answer = await funds.ask(
        { feed, pair, spendLimits, amount, needs, isPreview, ...(draft && { hold: draft }) },
        { decision, task: placement?.task },
      );
      if (answer.code === OUTCOMES.placed) {
        const checkFigures = describeChecks(request, needs, answer, { figures, available: funds.available });
        const atMs = settings.clock.monotonicMs();
        const rateLimits = describeStatus(request, answer.used, atMs);
        const admission = { ...decision, takenAtMs: answer.now, checkFigures, rateLimits };
        return { answer, admission, draft };
      }
      if (answer.code === OUTCOMES.repeated) throw new TakenElsewhere();
      if (tries >= MAX_TRIES && answer.code !== OUTCOMES.rateLimit)
        throw this.#notAdmitted(request, storeUnavailable(), figures, answer.used);
      // A process that was paused takes a new lease with the tick that says so.
      if (answer.code === OUTCOMES.noLease) continue;
      if (answer.code === OUTCOMES.stale) {
        await settings.catchUp().catch(() => {
          throw storeUnavailable();
        });
      } else if (answer.facts === null) {
        throw this.#notAdmitted(request, storeUnavailable(), figures, answer.used);
      } else if (answer.code === OUTCOMES.rateLimit) {
        const checks = describeChecks(request, needs, answer, { figures, available: funds.available });
        throw this.#notAdmitted(request, describeBreach(request, needs, answer), checks, answer.facts.used);
      } else {
        maxOutputTokens = this.#shorten(held, answer, answer.facts, spendLimits, figures);
      }
    }
  }

  /** The output that is covered. @throws NotAdmitted 402 where one token per choice isn't. */
  #shorten(
    request: AdmissionRequest,
    answer: Answer,
    facts: AskFacts,
    [ofOrganization, ofProject]: readonly [Nano | null, Nano | null],
    figures: CheckFigures,
  ): number {
    const available = toNano(BigInt(facts.available));
    const checked = { ...figures, available };
    const min = Math.min(1, request.maxOutputTokens);
    let covered = computeCoveredOutput(request, available);
    if (covered < min) {
      const required = computeMinCharge(request);
      const refusal = balanceTooLow(available, required, this.settings.currency, request);
      throw this.#notAdmitted(request, refusal, checked, facts.used);
    }
    const endMs = computeMonthEndMs(answer.now);
    const headrooms = [
      findHeadroom(null, ofOrganization, facts.organization, endMs),
      findHeadroom(request.projectId, ofProject, facts.project, endMs),
    ].filter((headroom) => headroom !== null);
    for (const headroom of headrooms.toSorted((a, b) => Number(a.remaining - b.remaining))) {
      covered = Math.min(covered, computeCoveredOutput(request, headroom.remaining));
      if (covered >= min) continue;
      this.settings.noteRefusing(headroom.scope);
      const refusal = spendLimitReached(headroom, computeMinCharge(request), this.settings.currency);
      const spending = { project: headroom.scope, spent: headroom.spent, limit: headroom.limit };
      throw this.#notAdmitted(request, refusal, { ...checked, spending }, facts.used);
    }
    return covered;
  }

  #notAdmitted(
    request: AdmissionRequest,
    refusal: Refusal,
    figures: CheckFigures,
    used: readonly number[],
  ): NotAdmitted {
    const atMs = this.settings.clock.monotonicMs();
    return new NotAdmitted(refusal, describeStatus(request, used, atMs), figures);
  }
}

function toPair({ projectId, model, limits }: LimitedPair): TickPair {
  return { projectId, model, max: rateLimitRows.map(({ field }) => limits[field]) };
}

/** What a call takes of each limit. */
function listNeeds(request: AdmissionRequest, tokens: number): number[] {
  const { images = 0, audioMegabytes = 0, batchInputTokens = 0 } = request;
  const demand = { requests: 1, tokens, images, audioMegabytes, batchInputTokens };
  return rateLimitRows.map(({ counts }) => demand[counts]);
}

function estimateTokens(request: AdmissionRequest, maxOutputTokens: number): number {
  const expected = Math.min(request.expectedOutputTokens, maxOutputTokens) * request.choices;
  return (request.countedPromptTokens ?? request.promptTokens) + expected;
}

function findHeadroom(
  scope: Scope,
  limit: Nano | null,
  spentText: string,
  endMs: number,
): SpendHeadroom | null {
  if (limit === null) return null;
  const spent = toNano(BigInt(spentText));
  return { scope, limit, spent, remaining: spent < limit ? toNano(limit - spent) : ZERO, endMs };
}

/** The limit that refuses for the longest time. */
function describeBreach(request: AdmissionRequest, needs: readonly number[], answer: Answer): Refusal {
  const { facts, slots, now } = answer;
  let worst: Breach | null = null;
  for (const [place, { field }] of rateLimitRows.entries()) {
    const max = request.limits[field];
    const [used = 0, requested = 0] = [facts?.used[place], needs[place]];
    if (max === null || requested === 0 || used + requested <= max) continue;
    const wait = slots ? computeWait(slots, place, { used, max, requested }, now) : MINUTE_MS;
    const breach = { field, max, used, requested, resetsInMs: requested > max ? null : wait };
    const lasts = ({ resetsInMs }: Breach) => resetsInMs ?? Number.POSITIVE_INFINITY;
    if (worst === null || lasts(breach) > lasts(worst)) worst = breach;
  }
  return worst ? limitReached(worst, request.projectId, request.model) : storeUnavailable();
}

function describeChecks(
  request: AdmissionRequest,
  needs: readonly number[],
  answer: Answer,
  { figures, available }: { readonly figures: CheckFigures; readonly available: Nano },
): CheckFigures {
  const used = answer.facts?.used ?? answer.used.map((value, place) => value - (needs[place] ?? 0));
  const measured = measureLimits(request, needs, used);
  const limits = Object.fromEntries(
    measured.map(({ field, used: of, max, requested }) => [field, { used: of, max, needed: requested }]),
  );
  return { ...figures, available, limits };
}

function measureLimits({ limits }: AdmissionRequest, needs: readonly number[], used: readonly number[]) {
  return rateLimitRows.flatMap(({ field }, place) => {
    const max = limits[field];
    const requested = needs[place] ?? 0;
    return max === null || requested === 0 ? [] : [{ field, max, used: used[place] ?? 0, requested }];
  });
}

function describeStatus({ limits }: LimitedPair, used: readonly number[], atMs: number): RateLimitStatus {
  const describe = (field: RateLimitField) => {
    const of = used[rateLimitRows.findIndex((row) => row.field === field)] ?? 0;
    return { max: limits[field] ?? 0, used: of, emptyAtMs: of > 0 ? atMs + MINUTE_MS : atMs };
  };
  return {
    requests: describe(rateLimitHeaderFields.requests),
    tokens: describe(rateLimitHeaderFields.tokens),
  };
}
