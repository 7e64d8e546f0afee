import { modelOfRateLimitId } from "@/lib/contract/ids";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
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
  limitsOf(projectId: string, model: LimitedModel): RateLimitValues {
    return this.#byProject.get(projectId)?.get(model.id) ?? model.defaultRateLimits;
  }

  following(store: Pick<RateLimitStore, "list" | "find">): Mirror {
    return {
      load: async () => {
        const saved = await store.list();
        this.#byProject = new Map();
        for (const { projectId, model, values } of saved) this.#put(projectId, model, values);
      },
      reread: {
        rate_limits: async ({ id, projectId }) => {
          const model = modelOfRateLimitId(id);
          if (projectId !== null) this.#put(projectId, model, await store.find(projectId, model));
        },
      },
    };
  }

  #put(projectId: string, model: string, values: RateLimitValues | null): void {
    const ofProject = this.#byProject.get(projectId) ?? new Map<string, RateLimitValues>();
    if (values) ofProject.set(model, values);
    else ofProject.delete(model);
    this.#byProject.set(projectId, ofProject);
  }
}
