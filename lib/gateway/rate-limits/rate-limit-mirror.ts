import type { RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { readRateLimitModel } from "@/lib/contract/ids";
import type { Mirror } from "../changes/mirror";
import type { RateLimitStore } from "./rate-limit-store";

/** The fields of a model that its limits depend on. */
export interface LimitedModel {
  readonly id: string;
  readonly defaultRateLimits: RateLimitValues;
}

/** The saved limits in memory, so that a call needs no lookup in the store. */
export class RateLimitMirror {
  #byProject = new Map<string, Map<string, RateLimitValues>>();

  /** The effective limits: the saved ones, or the model's defaults. Does not allocate. */
  effectiveLimits(projectId: string, model: LimitedModel): RateLimitValues {
    return this.#byProject.get(projectId)?.get(model.id) ?? model.defaultRateLimits;
  }

  following(store: Pick<RateLimitStore, "list" | "find">): Mirror {
    return {
      load: async () => {
        const records = await store.list();
        this.#byProject = new Map();
        for (const { projectId, model, values } of records) this.#put(projectId, model, values);
      },
      reread: {
        rate_limits: async ({ id, projectId }) => {
          const model = readRateLimitModel(id);
          if (projectId !== null) this.#put(projectId, model, await store.find(projectId, model));
        },
      },
    };
  }

  #put(projectId: string, model: string, values: RateLimitValues | null): void {
    const limitsByModel = this.#byProject.get(projectId) ?? new Map<string, RateLimitValues>();
    if (values) limitsByModel.set(model, values);
    else limitsByModel.delete(model);
    this.#byProject.set(projectId, limitsByModel);
  }
}
