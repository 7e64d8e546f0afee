import type { LimitUsage, UsedLimit } from "@/lib/contract/operations/limit-usage";
import type { RateLimitField } from "@/lib/contract/rate-limit-table";

/** What a limit had in use, by model; tells its subscribers when something has changed. */
export class LimitUses {
  #byModel = new Map<string, LimitUsage>();
  #version = 0;
  readonly #listeners = new Set<() => void>();

  constructor(known: readonly LimitUsage[] = []) {
    this.#put(known);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Counts what was told: the same while nothing changed. */
  readonly version = (): number => this.#version;

  /** Undefined where it was never used within a week. */
  of(model: string, field: RateLimitField): UsedLimit | undefined {
    return this.#byModel.get(model)?.limits.find((limit) => limit.field === field);
  }

  limitsOf(model: string): readonly UsedLimit[] {
    return this.#byModel.get(model)?.limits ?? [];
  }

  /** Replaces what was known by what is new. */
  tell(changed: readonly LimitUsage[]): void {
    if (changed.length === 0) return;
    this.#put(changed);
    for (const listener of this.#listeners) listener();
  }

  #put(changed: readonly LimitUsage[]): void {
    for (const usage of changed) this.#byModel.set(usage.model, usage);
    this.#version++;
  }
}

/** From this share of a limit on, it is nearly used up. */
export const NEAR = 0.8;

/** How much of a limit is used, as a share: 1 where it is used up; null where there is no limit. */
export function shareOf(max: number | null, used: number): number | null {
  if (max === null) return null;
  return max === 0 ? 1 : Math.min(1, used / max);
}

/** Whether 80 of 100 are in use, or were in the last day, or it refused a call in it. */
export function isNear({ max, peak_1_day: peak, refused_1_day: refused }: UsedLimit): boolean {
  return refused > 0 || (shareOf(max, peak) ?? 0) >= NEAR;
}
