import type { RateLimitField, RateLimitValues } from "@/lib/contract/operations/rate-limits";
import { rateLimitFields } from "@/lib/contract/operations/rate-limits";
import { RollingWindow } from "./rolling-window";
import { TokenDebt } from "./token-debt";

const TOKENS = "max_tokens_per_1_minute";
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/**
 * Slots of half a second in a minute, which has never more than 122; of one second in a day, up to 512 seconds where one
 * project and model is busy in more than 255 slots of it.
 */
const minute = (amounts: typeof Uint32Array | typeof Float64Array) =>
  new RollingWindow(MINUTE_MS, 500, 122, amounts);
const day = (amounts: typeof Uint32Array | typeof Float64Array) =>
  new RollingWindow(DAY_MS, 1_000, 256, amounts);

const windowMakers: Record<RateLimitField, () => RollingWindow> = {
  max_requests_per_1_minute: () => minute(Uint32Array),
  max_tokens_per_1_minute: () => minute(Float64Array),
  max_images_per_1_minute: () => minute(Float64Array),
  max_audio_megabytes_per_1_minute: () => minute(Float64Array),
  max_requests_per_1_day: () => day(Uint32Array),
  batch_1_day_max_input_tokens: () => day(Float64Array),
};

/** What one request takes of each limit, in the limit's unit. An absent field takes nothing. */
export type Demand = Readonly<Partial<Record<RateLimitField, number>>>;

/** The limit that refuses a request, and when it would let the same request through. */
export interface Breach {
  readonly field: RateLimitField;
  readonly max: number;
  readonly used: number;
  readonly requested: number;
  /** Null when the request is larger than the whole limit. */
  readonly resetsInMs: number | null;
}

/** The six rolling windows of one project and model. Counted whether or not there is a limit, so that a new one holds at once. */
export class ProjectModelWindows {
  readonly #windows: Partial<Record<RateLimitField, RollingWindow>> = {};
  /** What calls used beyond the tokens of a minute. */
  #debt: TokenDebt | null = null;

  /**
   * The limit that keeps this demand out longest, so that waiting for it is enough for all; null when all six let it
   * through. Takes nothing.
   */
  findBreach(limits: RateLimitValues, demand: Demand, nowMs: number): Breach | null {
    this.#enterDebt(limits, nowMs);
    let worst: Breach | null = null;
    for (const field of rateLimitFields) {
      const requested = demand[field] ?? 0;
      const max = limits[field];
      if (requested === 0 || max === null) continue;
      const used = this.used(field, nowMs);
      if (used + requested <= max) continue;
      const wait = this.#msUntilRoom(field, { requested, max, used }, nowMs);
      const breach = { field, max, used, requested, resetsInMs: requested > max ? null : wait };
      if (worst === null || outlasts(breach, worst)) worst = breach;
    }
    return worst;
  }

  take(demand: Demand, nowMs: number): void {
    for (const field of rateLimitFields) {
      const amount = demand[field] ?? 0;
      if (amount > 0) this.#window(field).add(nowMs, amount);
    }
  }

  /** Takes tokens that calls turn out to have used more than they were let through with. What goes beyond the limit is worked off. */
  takeLate(tokens: number, limits: RateLimitValues, nowMs: number): void {
    if (tokens <= 0) return;
    this.#enterDebt(limits, nowMs);
    const window = this.#window(TOKENS);
    const room = Math.max(0, limits[TOKENS] - window.used(nowMs));
    const fitting = this.#debt ? 0 : Math.min(tokens, room);
    if (fitting > 0) window.add(nowMs, fitting);
    if (fitting === tokens) return;
    if (this.#debt) this.#debt.add(tokens - fitting);
    else this.#debt = new TokenDebt(window, tokens - fitting, nowMs);
  }

  giveBack(demand: Demand, takenAtMs: number): void {
    for (const field of rateLimitFields) {
      const amount = demand[field] ?? 0;
      if (amount > 0) this.#windows[field]?.giveBack(takenAtMs, amount);
    }
  }

  /** What counts now, with what is still to be worked off. */
  used(field: RateLimitField, nowMs: number): number {
    const used = this.#windows[field]?.used(nowMs) ?? 0;
    return this.#debt && field === TOKENS ? used + this.#debt.left : used;
  }

  msUntilEmpty(field: RateLimitField, nowMs: number): number {
    return this.#windows[field]?.msUntilEmpty(nowMs) ?? 0;
  }

  #msUntilRoom(
    field: RateLimitField,
    { requested, max, used }: { requested: number; max: number; used: number },
    nowMs: number,
  ): number {
    if (this.#debt && field === TOKENS) return this.#debt.msUntilRoom(max, requested, nowMs);
    return this.#windows[field]?.msUntilFree(nowMs, used + requested - max) ?? 0;
  }

  #enterDebt(limits: RateLimitValues, nowMs: number): void {
    if (!this.#debt) return;
    this.#debt.enter(limits[TOKENS], nowMs);
    if (this.#debt.left === 0) this.#debt = null;
  }

  #window(field: RateLimitField): RollingWindow {
    this.#windows[field] ??= windowMakers[field]();
    return this.#windows[field];
  }
}

function outlasts(one: Breach, other: Breach): boolean {
  return (one.resetsInMs ?? Number.POSITIVE_INFINITY) > (other.resetsInMs ?? Number.POSITIVE_INFINITY);
}
