import { wholeList } from "@/components/queries/reads/whole-list";
import { isNearLimit, type RateLimitField } from "@/lib/contract/calls/rate-limit-table";
import type { LimitUsage, LimitUsageEntry } from "@/lib/contract/operations/usage/limit-usage";

/** A store of limit use by model. Notifies its subscribers of changes. */
export class LimitUsageByModel {
  #byModel = new Map<string, LimitUsage>();
  readonly #listeners = new Set<() => void>();

  constructor(known: readonly LimitUsage[] = []) {
    this.#put(known);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Undefined if the limit hasn't been used within a week. */
  find(model: string, field: RateLimitField): LimitUsageEntry | undefined {
    return this.#byModel.get(model)?.limits.find((limit) => limit.field === field);
  }

  /** Replaces the use of the given models and notifies subscribers. */
  update(changed: readonly LimitUsage[]): void {
    if (changed.length === 0) return;
    this.#put(changed);
    for (const listener of this.#listeners) listener();
  }

  #put(changed: readonly LimitUsage[]): void {
    for (const usage of changed) this.#byModel.set(usage.model, usage);
  }
}

/** Returns the used share of a limit, at most 1; null if there is no limit. */
export function computeCappedShare(max: number | null, used: number): number | null {
  if (max === null) return null;
  return max === 0 ? 1 : Math.min(1, used / max);
}

/** Returns true if the limit refused a call in the last day, or was nearly used up in it. */
export function isNear({ max, peak_1_day: peak, refused_1_day: refusals }: LimitUsageEntry): boolean {
  return isNearLimit({ max, peak, refusals });
}

/** Returns the reads of both rate limit screens, made in parallel. */
export function limitReads(projectId: string) {
  return {
    limits: wholeList("listRateLimits", { project_id: projectId }),
    models: wholeList("listOrganizationModels"),
    usage: wholeList("listLimitUsage", { project_id: projectId }),
  };
}
