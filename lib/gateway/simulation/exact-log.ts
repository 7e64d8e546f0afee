import { limitWindows, type RateLimitField, rateLimitRows } from "@/lib/contract/calls/rate-limit-table";
import type { Admission, AdmissionRequest } from "../rate-limits/admissions";
import { windowSlots } from "../rate-limits/rolling-window";
import type { Refusal } from "../refusal";
import { ensure } from "./broken-invariant";

/** What one call took of the limits. Tokens beyond the estimate count from the time they became known. */
interface LoggedAdmission {
  readonly pair: string;
  readonly atMs: number;
  readonly estimatedTokens: number;
  requests: number;
  tokens: number;
  /** Tokens that are known when the call ends; the process counts them once the charge is stored. */
  late: { readonly tokens: number; readonly knownAtMs: number; readonly countedAtMs: number } | null;
  endedAtMs: number;
  /** A call that failed before it was sent takes no request, though the process that made it may still count it. */
  isUnsent: boolean;
}

/** The outcome of a call that was open when its process died. */
export interface CrashOutcome {
  readonly wasSent: boolean;
  readonly tokens: number;
  /** Set if the call's tokens have no known times, so that all of them count from its start. */
  readonly isReaped: boolean;
}

interface WatchedLimit {
  readonly field: RateLimitField;
  readonly unit: "requests" | "tokens";
  readonly lengthMs: number;
  readonly slotMs: number;
}
/** The limits on what simulated calls take. */
const watched = rateLimitRows.flatMap(({ field, counts, window }): WatchedLimit[] =>
  counts === "requests" || counts === "tokens"
    ? [{ field, unit: counts, lengthMs: limitWindows[window].ms, slotMs: windowSlots[window].slotMs }]
    : [],
);
const watchedTokens = watched.filter(({ unit }) => unit === "tokens");
/** Past calls are restored with a precision of one second. */
const REBUILT_SLOT_MS = 1_000;

/**
 * Everything that was taken, by the millisecond. The windows must never admit more (I10), and may refuse at most one
 * slot longer.
 */
export class ExactLog {
  readonly #takings = new Map<string, LoggedAdmission[]>();
  readonly #open = new Map<Admission, LoggedAdmission>();
  /** Calls that were given back unsent. */
  readonly #returned = new Map<Admission, LoggedAdmission>();
  /** Calls whose holds another process has resolved. */
  readonly #takenOver = new Set<Admission>();
  /** Calls of processes that have died. */
  readonly #orphans = new Set<Admission>();
  /**
   * Pairs for which a process counts more tokens than this log: those with a debt, which is paid off for longer than a
   * window (`project-model-windows.test.ts` covers it), and those with holds that were open when the process started.
   */
  readonly #indebted = new Set<string>();

  /** @param nowMs the true time, independent of the processes' clocks. */
  constructor(readonly nowMs: () => number) {}

  admitted(admission: Admission, nowMs: number): void {
    const { request, estimatedTokens } = admission;
    const demand = { requests: 1, tokens: estimatedTokens };
    const pair = formatPair(request);
    for (const { field, unit, lengthMs } of watched) {
      const max = request.limits[field];
      const usedAmount = this.#sum(pair, unit, nowMs - lengthMs);
      ensure(max === null || usedAmount + demand[unit] <= max, "I10", () => {
        return `${pair} has used ${usedAmount} and was let through with ${demand[unit]}, at ${field} ${max}`;
      });
    }
    const logged = {
      ...demand,
      pair,
      atMs: nowMs,
      estimatedTokens,
      late: null,
      endedAtMs: nowMs,
      isUnsent: false,
    };
    this.#takings.set(pair, [...(this.#takings.get(pair) ?? []), logged]);
    this.#open.set(admission, logged);
  }

  /** A refusal must name a limit that is exhausted, and the time at which it no longer is. */
  noteRefusal(request: AdmissionRequest, refusal: Refusal, nowMs: number, wasRebuilt: boolean): void {
    const { limit } = refusal.details;
    const limited = watched.find(({ field }) => field === limit?.field);
    if (!limit || !limited) return;
    const pair = formatPair(request);
    const { unit, lengthMs, slotMs } = limited;
    const { requested, max, resets_in_ms: waitMs } = limit;
    if (unit === "tokens" && this.#indebted.has(pair)) return;
    const slack = slotMs + (wasRebuilt ? REBUILT_SLOT_MS : 0);
    const isInTheWay = (atMs: number) =>
      this.#sum(pair, unit, atMs - lengthMs - slack, { max: true }) + requested > max;
    ensure(isInTheWay(nowMs), "needless refusal", () => `${pair} was refused by ${limit.field} ${max}`);
    ensure(
      (waitMs === null) === requested > max,
      "resets_in_ms",
      () => `${waitMs} for ${requested} of ${max}`,
    );
    if (waitMs === null) return;
    const remaining = this.#sum(pair, unit, nowMs + waitMs - lengthMs);
    ensure(
      remaining + requested <= max,
      "resets_in_ms",
      () => `after ${waitMs} ms ${remaining} of ${max} are used`,
    );
    ensure(isInTheWay(nowMs + waitMs - 1), "resets_in_ms", () => `${waitMs} ms are too long for ${pair}`);
  }

  corrected(admission: Admission, tokens: number, nowMs: number): void {
    const logged = this.#close(admission);
    if (!logged) return;
    correct(logged, Math.min(tokens, computeMostTokens(admission)), logged.endedAtMs, nowMs);
    if (!logged.late) return;
    for (const { field, lengthMs, slotMs } of watchedTokens) {
      const sinceMs = nowMs - lengthMs - slotMs - REBUILT_SLOT_MS;
      const usedTokens = this.#sum(logged.pair, "tokens", sinceMs, { max: true });
      const max = admission.request.limits[field];
      if (max !== null && usedTokens > max) this.#indebted.add(logged.pair);
    }
  }

  noteReturn(admission: Admission, { sent: wasSent }: { sent: boolean }): void {
    const logged = this.#close(admission);
    if (!logged) return;
    ensure(!(wasSent && logged.isUnsent), "limits", () => "a call that was never sent keeps its request");
    logged.tokens = 0;
    if (wasSent) return;
    logged.requests = 0;
    this.#returned.set(admission, logged);
    // A paused process may give a call up only after another one has charged it.
    if (this.#takenOver.has(admission)) this.#isHeldAfterAll(admission);
  }

  /** The call has ended, though the ledger does not know yet. */
  noteEnd(admission: Admission, { wasSent }: { wasSent: boolean }): void {
    const logged = this.#open.get(admission);
    if (!logged) return;
    logged.endedAtMs = this.nowMs();
    logged.isUnsent = !wasSent;
  }

  /**
   * The process has died. The ledger reports for each of its calls what it was charged, or that its hold stays open
   * until it is taken over.
   */
  crashed(
    admissions: readonly Admission[],
    find: (admission: Admission) => CrashOutcome | "open" | null,
  ): void {
    for (const admission of admissions) {
      const end = find(admission);
      if (end === "open") this.#isHeldAfterAll(admission);
      const logged = this.#open.get(admission);
      if (!logged) continue;
      if (end === "open") {
        this.#orphans.add(admission);
        this.#indebted.add(logged.pair);
        continue;
      }
      this.#open.delete(admission);
      settleCrashed(logged, admission, end);
    }
  }

  /** Another process has resolved its hold. The call's own process corrects its count while it lives. */
  noteTakeover(admission: Admission, end: CrashOutcome): void {
    this.#isHeldAfterAll(admission);
    this.#takenOver.add(admission);
    if (!this.#orphans.delete(admission)) return;
    const logged = this.#close(admission);
    if (logged) settleCrashed(logged, admission, end);
  }

  /**
   * The call was given up before it was sent, and is held or charged anyway: a later process counts it, its own does
   * not.
   */
  #isHeldAfterAll(admission: Admission): void {
    const returnedAdmission = this.#returned.get(admission);
    if (!returnedAdmission) return;
    [returnedAdmission.requests, returnedAdmission.isUnsent] = [1, true];
    this.#indebted.add(returnedAdmission.pair);
  }

  #close(admission: Admission): LoggedAdmission | undefined {
    const logged = this.#open.get(admission);
    this.#open.delete(admission);
    return logged;
  }

  /** What was taken after `sinceMs`. With `max`: the most that a process without full knowledge may count. */
  #sum(pair: string, unit: "requests" | "tokens", sinceMs: number, { max = false } = {}): number {
    let sum = 0;
    for (const logged of this.#takings.get(pair) ?? []) {
      const isCounted = unit === "tokens" || max || !logged.isUnsent;
      if (isCounted && logged.atMs > sinceMs) sum += logged[unit];
      if (unit === "requests" || !logged.late) continue;
      const { tokens, knownAtMs, countedAtMs } = logged.late;
      if ((max ? countedAtMs : knownAtMs) > sinceMs) sum += tokens;
    }
    return sum;
  }
}

/** What a call takes of the limits at most, whatever its provider reports. See `lib/decisions/calls.md`. */
function computeMostTokens({ request, maxOutputTokens, estimatedTokens }: Admission): number {
  const { promptTokens, countedPromptTokens = 0, maxPromptTokens = 0, contextTokens = 0, choices } = request;
  const largestPrompt = Math.max(promptTokens, countedPromptTokens, maxPromptTokens, contextTokens);
  return Math.max(estimatedTokens, largestPrompt + maxOutputTokens * choices);
}

function settleCrashed(logged: LoggedAdmission, admission: Admission, end: CrashOutcome | null): void {
  if (!end?.wasSent) logged.requests = 0;
  const tokens = Math.min(end?.tokens ?? 0, computeMostTokens(admission));
  correct(logged, tokens, end?.isReaped ? logged.atMs : logged.endedAtMs);
}

function correct(logged: LoggedAdmission, tokens: number, knownAtMs: number, countedAtMs = knownAtMs): void {
  logged.tokens = Math.min(tokens, logged.estimatedTokens);
  const beyond = tokens - logged.tokens;
  if (beyond > 0) logged.late = { tokens: beyond, knownAtMs, countedAtMs };
}

function formatPair({ projectId, model }: { projectId: string; model: string }): string {
  return `${projectId} ${model}`;
}
