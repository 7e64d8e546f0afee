import {
  type CarriedMeasure,
  LONGEST_WINDOW_MS,
  type Measure,
  MINUTE_MS,
  type RateLimitValues,
} from "@/lib/contract/rate-limit-table";
import { type Nano, ZERO } from "@/lib/money/amount";
import { affordableOutputTokens, chargeFor, type PriceSnapshot } from "@/lib/money/charge";
import type { Funds } from "../balance/funds";
import type { SpendBook } from "../balance/spend-book";
import type { Clock } from "../effects";
import type { Refusal } from "../refusal";
import { InFlight } from "./in-flight";
import { ProjectModelWindows } from "./project-model-windows";
import { balanceTooLow, limitReached, spendLimitReached, tooManyAtOnce } from "./refuse";

/** What a call asks to be let through with. Token counts are whole numbers. What its messages carry stands by its measure. */
export interface AdmissionRequest extends Readonly<Partial<Record<CarriedMeasure, number>>> {
  readonly projectId: string;
  readonly keyId: string;
  readonly model: string;
  readonly limits: RateLimitValues;
  readonly price: PriceSnapshot;
  /** What the prompt is estimated at: charged where the provider doesn't say how much it was. */
  readonly promptTokens: number;
  /** What of it counts in the limits, and the most it can be, which is held; absent where both are `promptTokens`. */
  readonly countedPromptTokens?: number;
  readonly mostPromptTokens?: number;
  /** The prompts' tokens of a whole batch, where this hands one in. */
  readonly batchInputTokens?: number;
  /** The most output of one choice, and what it is expected to be; the two are equal where the caller set `max_tokens`. */
  readonly maxOutputTokens: number;
  readonly expectedOutputTokens: number;
  /** How many choices are generated; at least 1. */
  readonly choices: number;
}

/** A call that was let through: what it holds, and what it took of the limits. */
export interface Admission {
  readonly request: AdmissionRequest;
  readonly holdAmount: Nano;
  /** The most output of one choice after the balance and the spend limits had their say; at most `request.maxOutputTokens`. */
  readonly maxOutputTokens: number;
  readonly estimatedTokens: number;
  readonly takenAtMs: number;
}

/** A past call that still counts in a window. */
export interface PastUse {
  readonly projectId: string;
  readonly model: string;
  readonly ageMs: number;
  readonly requests: number;
  readonly tokens: number;
}

const ORIGIN_MS = LONGEST_WINDOW_MS + MINUTE_MS;

/**
 * The one place where limits and money meet. Decides in memory, all or nothing: a refused request takes nothing of the
 * limits or the calls in flight. What is let through is to be held at once: the store has the last word on the balance.
 */
export class Admissions {
  readonly inFlight: InFlight;
  readonly #windows = new Map<string, Map<string, ProjectModelWindows>>();

  constructor(
    private readonly funds: Pick<Funds, "available">,
    private readonly spend: SpendBook,
    private readonly settings: {
      readonly clock: Clock;
      readonly currency: string;
      readonly maxConcurrentRequests?: number;
    },
  ) {
    this.inFlight = new InFlight(settings.maxConcurrentRequests ?? 2_000);
  }

  /** @throws Refusal 402 or 429. The balance comes first: where it is too low, waiting for a limit would not help. */
  admit(request: AdmissionRequest): Admission {
    const { projectId, keyId, model, limits } = request;
    if (!this.inFlight.hasRoom(keyId)) throw tooManyAtOnce(this.inFlight.max);
    const { maxOutputTokens, holdAmount } = this.#hold(request);
    const expected = Math.min(request.expectedOutputTokens, maxOutputTokens) * request.choices;
    const estimatedTokens = (request.countedPromptTokens ?? request.promptTokens) + expected;
    const demand = demandOf(1, estimatedTokens, request);
    const takenAtMs = this.now();
    const windows = this.windowsOf(projectId, model);
    const breach = windows.findBreach(limits, demand, takenAtMs);
    if (breach) throw limitReached(breach, projectId, model);
    windows.take(demand, takenAtMs);
    this.spend.hold(projectId, holdAmount);
    this.inFlight.enter(keyId);
    return { request, holdAmount, maxOutputTokens, estimatedTokens, takenAtMs };
  }

  /** Ends a call that is charged: the charge is on disk. Tokens are corrected to what was really used. */
  settle(
    { request, holdAmount, estimatedTokens, takenAtMs }: Admission,
    tokens: number,
    charged: Nano,
  ): void {
    const windows = this.windowsOf(request.projectId, request.model);
    if (tokens < estimatedTokens) windows.giveBack({ tokens: estimatedTokens - tokens }, takenAtMs);
    else windows.takeLate(tokens - estimatedTokens, request.limits, this.now());
    this.spend.settle(request.projectId, holdAmount, charged, this.settings.clock.nowMs());
    this.inFlight.leave(request.keyId);
  }

  /** Ends a call that costs nothing. One that never left the gateway counts in no limit. */
  release({ request, holdAmount, estimatedTokens, takenAtMs }: Admission, { sent }: { sent: boolean }): void {
    const demand = demandOf(sent ? 0 : 1, estimatedTokens, request);
    this.windowsOf(request.projectId, request.model).giveBack(demand, takenAtMs);
    this.spend.release(request.projectId, holdAmount);
    this.inFlight.leave(request.keyId);
  }

  /** 402 for what was let through and the store does not cover: others were quicker. */
  notCovered(required: Nano): Refusal {
    const { available } = this.funds;
    return balanceTooLow(available < ZERO ? ZERO : available, required, this.settings.currency);
  }

  /** Fills the windows at boot with what was let through before. Calls come oldest first. */
  restore(calls: Iterable<PastUse>): void {
    for (const { projectId, model, ageMs, requests, tokens } of calls) {
      if (ageMs >= ORIGIN_MS) continue;
      // A wall clock that was set back must not free what was just taken: what lies ahead counts as now.
      this.windowsOf(projectId, model).takePast({ requests, tokens }, Math.max(0, ageMs), this.now());
    }
  }

  windowsOf(projectId: string, model: string): ProjectModelWindows {
    let models = this.#windows.get(projectId);
    if (!models) this.#windows.set(projectId, (models = new Map()));
    let windows = models.get(model);
    if (!windows) models.set(model, (windows = new ProjectModelWindows()));
    return windows;
  }

  /** The windows' own time: milliseconds that never step back, above 0 for all that `restore` may bring. */
  now(): number {
    return this.settings.clock.monotonicMs() + ORIGIN_MS;
  }

  /** The most that the balance and the spend limits cover. @throws Refusal 402 where that is less than one token a choice. */
  #hold({ projectId, price, maxOutputTokens, choices, ...request }: AdmissionRequest) {
    const { clock, currency } = this.settings;
    const promptTokens = request.mostPromptTokens ?? request.promptTokens;
    const { available } = this.funds;
    const room = this.spend.roomFor(projectId, clock.nowMs());
    const whole = chargeFor({ promptTokens, completionTokens: maxOutputTokens * choices }, price);
    if (whole <= available && (!room || whole <= room.left)) return { maxOutputTokens, holdAmount: whole };
    const affordable = (amount: Nano) =>
      Math.floor(affordableOutputTokens(promptTokens, price, amount) / choices);
    const least = () => chargeFor({ promptTokens, completionTokens: choices }, price);
    let covered = Math.min(maxOutputTokens, affordable(available));
    if (covered < 1) throw balanceTooLow(available < ZERO ? ZERO : available, least(), currency);
    if (room) covered = Math.min(covered, affordable(room.left));
    if (room && covered < 1) {
      this.spend.refuse(room.scope);
      throw spendLimitReached(room, least(), currency);
    }
    return {
      maxOutputTokens: covered,
      holdAmount: chargeFor({ promptTokens, completionTokens: covered * choices }, price),
    };
  }
}

function demandOf(
  requests: number,
  tokens: number,
  { images = 0, audioMegabytes = 0, batchInputTokens = 0 }: AdmissionRequest,
): Readonly<Record<Measure, number>> {
  return { requests, tokens, images, audioMegabytes, batchInputTokens };
}
