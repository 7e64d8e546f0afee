import {
  type FixedLimitField,
  type HeaderLimit,
  limitWindows,
  type Measure,
  mapLimits,
  type RateLimitField,
  type RateLimitValues,
  rateLimitRows,
} from "@/lib/contract/calls/rate-limit-table";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { LimitFigures } from "../log/requests/receipt-details";
import { RollingWindow, windowSlots } from "./rolling-window";

/** The rows of the limits table, in the form that the windows count by. */
const rules = rateLimitRows.map(({ field, counts, window }, index) => ({
  index,
  field,
  counts,
  windowMs: limitWindows[window].ms,
  ...windowSlots[window],
  amounts: counts === "requests" ? Uint32Array : Float64Array,
}));
type Rule = (typeof rules)[number];
const ruleByLimit = mapLimits(({ field }) => rules.find((rule) => rule.field === field) as Rule);
const tokenRules = rules.filter(({ counts }) => counts === "tokens");

export const NOTHING_USED: Readonly<Record<RateLimitField, number>> = mapLimits(() => 0);

/** What one request takes of each measure. An absent measure takes nothing. */
export type Demand = Readonly<Partial<Record<Measure, number>>>;

/** The limit that refuses a request, and when it would admit the same request. */
export interface Breach {
  readonly field: RateLimitField;
  readonly max: number;
  readonly used: number;
  readonly requested: number;
  /** Null when the request is larger than the whole limit. */
  readonly resetsInMs: number | null;
}

/**
 * The rolling windows of one project and model. They count even where no limit is set, so that a new limit applies at
 * once.
 */
export class ProjectModelWindows {
  /** Keyed by the rules' index; each window is created when something is first taken. */
  readonly #windows: (RollingWindow | undefined)[] = [];
  /** Debts of the token limits, by the rules' index; null where there is none. */
  #debts: (TokenDebt | undefined)[] | null = null;

  /**
   * The limit that refuses this demand for the longest time, so that waiting for it is enough; null where all limits
   * admit the demand. Takes nothing. Adds each limit's figures to `seen`.
   */
  findBreach(
    limits: RateLimitValues,
    demand: Demand,
    nowMs: number,
    seen?: Partial<Record<RateLimitField, LimitFigures>>,
  ): Breach | null {
    if (this.#debts) this.#enterDebts(limits, nowMs);
    let worst: Breach | null = null;
    for (const rule of rules) {
      const requested = demand[rule.counts] ?? 0;
      const max = limits[rule.field];
      if (requested === 0 || max === null) continue;
      const used = this.#used(rule, nowMs);
      if (seen) seen[rule.field] = { used, max, needed: requested };
      if (used + requested <= max) continue;
      const wait = this.#msUntilRoom(rule, { requested, max, used }, nowMs);
      const { field } = rule;
      const breach = { field, max, used, requested, resetsInMs: requested > max ? null : wait };
      if (worst === null || outlasts(breach, worst)) worst = breach;
    }
    return worst;
  }

  /** The limits that a demand counts in, each with its present use. Takes nothing. */
  measure(limits: RateLimitValues, demand: Demand, nowMs: number): Omit<Breach, "resetsInMs">[] {
    if (this.#debts) this.#enterDebts(limits, nowMs);
    return rules.flatMap((rule) => {
      const requested = demand[rule.counts] ?? 0;
      const max = limits[rule.field];
      if (requested === 0 || max === null) return [];
      return [{ field: rule.field, max, used: this.#used(rule, nowMs), requested }];
    });
  }

  take(demand: Demand, nowMs: number): void {
    for (const rule of rules) {
      const amount = demand[rule.counts] ?? 0;
      if (amount > 0) this.#window(rule).add(nowMs, amount);
    }
  }

  /** Takes the use of a call that began `ageMs` ago, in the windows that still cover it. */
  takePast(demand: Demand, ageMs: number, nowMs: number): void {
    for (const rule of rules) {
      const amount = demand[rule.counts] ?? 0;
      if (amount > 0 && ageMs < rule.windowMs + MINUTE_MS) this.#window(rule).add(nowMs - ageMs, amount);
    }
  }

  /** Takes tokens beyond a call's estimate once they are known. Whatever exceeds a limit becomes a debt. */
  takeLate(tokens: number, limits: RateLimitValues, nowMs: number): void {
    if (tokens <= 0) return;
    if (this.#debts) this.#enterDebts(limits, nowMs);
    for (const rule of tokenRules) this.#takeLate(rule, tokens, findMax(limits, rule), nowMs);
  }

  /** Corrects the tokens that a call took at its admission to what counts of its usage, once it has ended. */
  correctTokens(
    { estimated, counted }: { readonly estimated: number; readonly counted: number },
    limits: RateLimitValues,
    { takenAtMs, nowMs }: { readonly takenAtMs: number; readonly nowMs: number },
  ): void {
    if (counted < estimated) this.refund({ tokens: estimated - counted }, takenAtMs);
    else this.takeLate(counted - estimated, limits, nowMs);
  }

  refund(demand: Demand, takenAtMs: number): void {
    for (const rule of rules) {
      const amount = demand[rule.counts] ?? 0;
      if (amount > 0) this.#windows[rule.index]?.refund(takenAtMs, amount);
    }
  }

  /** What counts now, including debts. */
  used(field: RateLimitField, nowMs: number): number {
    return this.#used(ruleByLimit[field], nowMs);
  }

  usedByLimit(nowMs: number): Readonly<Record<RateLimitField, number>> {
    return mapLimits(({ field }) => this.used(field, nowMs));
  }

  msUntilEmpty(field: RateLimitField, nowMs: number): number {
    return this.#windows[ruleByLimit[field].index]?.msUntilEmpty(nowMs) ?? 0;
  }

  #used({ index }: Rule, nowMs: number): number {
    const used = this.#windows[index]?.used(nowMs) ?? 0;
    return this.#debts ? used + (this.#debts[index]?.left ?? 0) : used;
  }

  #msUntilRoom(
    { index }: Rule,
    { requested, max, used }: { requested: number; max: number; used: number },
    nowMs: number,
  ): number {
    const debt = this.#debts?.[index];
    if (debt) return debt.msUntilRoom(max, requested, nowMs);
    return this.#windows[index]?.msUntilFree(nowMs, used + requested - max) ?? 0;
  }

  #takeLate(rule: Rule, tokens: number, max: number, nowMs: number): void {
    const window = this.#window(rule);
    const debt = this.#debts?.[rule.index];
    const room = Math.max(0, max - window.used(nowMs));
    const fitting = debt ? 0 : Math.min(tokens, room);
    if (fitting > 0) window.add(nowMs, fitting);
    if (fitting === tokens) return;
    if (debt) return debt.add(tokens - fitting);
    this.#debts ??= [];
    this.#debts[rule.index] = new TokenDebt(window, tokens - fitting, nowMs);
  }

  #enterDebts(limits: RateLimitValues, nowMs: number): void {
    let isAnyLeft = false;
    for (const rule of tokenRules) {
      const debt = this.#debts?.[rule.index];
      if (!debt) continue;
      debt.enter(findMax(limits, rule), nowMs);
      if (debt.left > 0) isAnyLeft = true;
      else if (this.#debts) this.#debts[rule.index] = undefined;
    }
    if (!isAnyLeft) this.#debts = null;
  }

  #window({ index, windowMs, slotMs, maxSlots, amounts }: Rule): RollingWindow {
    this.#windows[index] ??= new RollingWindow(windowMs, slotMs, maxSlots, amounts);
    return this.#windows[index];
  }
}

function findMax(limits: RateLimitValues, { field }: Rule): number {
  return limits[field] ?? Number.POSITIVE_INFINITY;
}

function outlasts(one: Breach, other: Breach): boolean {
  return (one.resetsInMs ?? Number.POSITIVE_INFINITY) > (other.resetsInMs ?? Number.POSITIVE_INFINITY);
}

/**
 * Tokens that calls used beyond a limit, known only when they ended. They enter the window as soon as it has capacity,
 * before any new call, so that the long-term use never exceeds the limit.
 */
class TokenDebt {
  #atMs: number;
  /** How long an amount stays in the window after it has entered: until the last instant of its slot. */
  readonly #cycleMs: number;

  constructor(
    private readonly window: RollingWindow,
    private amount: number,
    nowMs: number,
  ) {
    this.#atMs = nowMs;
    this.#cycleMs = window.windowMs + window.slotMs;
  }

  get left(): number {
    return this.amount;
  }

  add(amount: number): void {
    this.amount += amount;
  }

  /** Moves into the window the tokens that have fitted by `nowMs`, each at its time. @param max the limit. */
  enter(max: number, nowMs: number): void {
    for (let wait = 0; this.amount > 0 && this.#atMs + wait <= nowMs; ) {
      this.#atMs += wait;
      const room = max - this.window.used(this.#atMs);
      const entering = Math.min(room, this.amount);
      if (entering > 0) this.window.add(this.#atMs, entering);
      if (entering > 0) this.amount -= entering;
      if (max > 0) this.#skipCycles(max, nowMs);
      wait = Math.max(1, this.window.msUntilFree(this.#atMs, 1));
    }
    this.#atMs = nowMs;
  }

  /** Milliseconds until the whole debt has entered and `requested` has room. Call `enter` with `nowMs` first. */
  msUntilRoom(max: number, requested: number, nowMs: number): number {
    // First the excess over a lowered limit leaves; then the full window empties once per cycle.
    const surplus = this.window.used(nowMs) - max;
    const awaited = this.amount + requested;
    const cycles = Math.ceil(awaited / max) - 1;
    return cycles * this.#cycleMs + this.window.msUntilFree(nowMs, surplus + awaited - cycles * max);
  }

  /** Skips whole cycles: a full window that refills as it empties looks the same one cycle later. */
  #skipCycles(max: number, nowMs: number): void {
    const cycles = Math.min(Math.floor((nowMs - this.#atMs) / this.#cycleMs), Math.floor(this.amount / max));
    if (cycles < 1 || this.window.used(this.#atMs) !== max) return;
    this.window.postpone(cycles * this.#cycleMs);
    this.amount -= cycles * max;
    this.#atMs += cycles * this.#cycleMs;
  }
}

/** One limit at one moment. */
export interface HeaderLimitStatus {
  readonly max: number;
  readonly used: number;
  /** When its use falls to zero, on the process's monotonic clock. */
  readonly emptyAtMs: number;
}

/** The limits that every reply reports in its headers. */
export type RateLimitStatus = Readonly<Record<HeaderLimit, HeaderLimitStatus>>;

/** @param clock the windows' time, and its origin on the process's monotonic clock. */
export function describeUse(
  windows: Pick<ProjectModelWindows, "used" | "msUntilEmpty">,
  field: FixedLimitField,
  max: number,
  { nowMs, originMs }: { readonly nowMs: number; readonly originMs: number },
): HeaderLimitStatus {
  const emptyAtMs = nowMs - originMs + windows.msUntilEmpty(field, nowMs);
  return { max, used: windows.used(field, nowMs), emptyAtMs };
}

type HeaderName = `x-ratelimit-${"limit" | "remaining" | "reset"}-${HeaderLimit}`;

/**
 * The `x-ratelimit-*` headers of a reply: limit, remaining, and the time until the use falls to zero.
 * @param nowMs on the monotonic clock.
 */
export function rateLimitHeaders(
  { requests, tokens }: RateLimitStatus,
  nowMs: number,
): Record<HeaderName, string> {
  return {
    "x-ratelimit-limit-requests": String(requests.max),
    "x-ratelimit-limit-tokens": String(tokens.max),
    "x-ratelimit-remaining-requests": computeRemaining(requests),
    "x-ratelimit-remaining-tokens": computeRemaining(tokens),
    "x-ratelimit-reset-requests": reset(requests, nowMs),
    "x-ratelimit-reset-tokens": reset(tokens, nowMs),
  };
}

function computeRemaining({ max, used }: HeaderLimitStatus): string {
  return String(Math.max(0, max - used));
}

function reset({ emptyAtMs }: HeaderLimitStatus, nowMs: number): string {
  return formatDuration(Math.max(0, emptyAtMs - nowMs));
}

/**
 * A duration in the format of OpenAI's `x-ratelimit-reset-*`: `12ms`, `1s`, `6m0s`, `1h0m0s`. Durations above one
 * second are rounded up to whole seconds.
 */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`;
  const total = Math.ceil(ms / 1_000);
  const seconds = total % 60;
  if (total < 60) return `${seconds}s`;
  const minutes = Math.floor(total / 60);
  return minutes < 60 ? `${minutes}m${seconds}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}s`;
}

/** The project and model that limits apply to. */
export interface ProjectModelPair {
  readonly projectId: string;
  readonly model: string;
}

/** The present use of each limit. */
export interface PairUsage extends ProjectModelPair {
  readonly used: Readonly<Record<RateLimitField, number>>;
}
