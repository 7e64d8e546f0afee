import type { RateLimitValues } from "@/lib/contract/rate-limit-table";

/** What a limit needs to know of a model. */
export interface LimitedModel {
  readonly id: string;
  readonly defaultRateLimits: RateLimitValues;
}

/** The limits that were saved for one project and model. */
export interface SavedRateLimit {
  readonly projectId: string;
  readonly model: string;
  readonly values: RateLimitValues;
}

/** The saved limits in memory, so that a call is limited without a look-up in the store. Mirrors the rate limit store. */
export class LimitBook {
  readonly #byProject = new Map<string, Map<string, RateLimitValues>>();

  constructor(saved: Iterable<SavedRateLimit>) {
    for (const limit of saved) this.put(limit);
  }

  /** The limits that hold now: the saved ones, or the model's defaults. Allocates nothing. */
  limitsOf(projectId: string, model: LimitedModel): RateLimitValues {
    return this.#byProject.get(projectId)?.get(model.id) ?? model.defaultRateLimits;
  }

  put({ projectId, model, values }: SavedRateLimit): void {
    const ofProject = this.#byProject.get(projectId) ?? new Map<string, RateLimitValues>();
    ofProject.set(model, values);
    this.#byProject.set(projectId, ofProject);
  }
}
