import { rateLimitId } from "@/lib/contract/ids";
import type { RateLimit } from "@/lib/contract/operations/rate-limits";
import type { RateLimitValues } from "@/lib/contract/rate-limit-table";
import type { Catalogue } from "../models/catalogue";
import type { Effects } from "../ports/effects";
import { listInMemory } from "../ports/paged-list";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import { findLimitedModel } from "../rate-limits/find-limited-model";
import type { LimitBook } from "../rate-limits/limit-book";
import type { RateLimitStore } from "../rate-limits/rate-limit-store";
import { saveRateLimit } from "../rate-limits/save-rate-limit";
import type { Handlers } from "./handler";
import { paginate } from "./paginate";

export function rateLimitRoutes(context: {
  projects: ProjectStore;
  catalogue: Catalogue;
  rateLimits: RateLimitStore;
  limitBook: LimitBook;
  effects: Effects;
}): Handlers<"listRateLimits" | "retrieveRateLimit" | "saveRateLimit"> {
  const { projects, catalogue, limitBook } = context;
  return {
    listRateLimits: async ({ params, query }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const models = catalogue.list().map((model) => ({ id: rateLimitId(model.id), model }));
      return paginate(listInMemory(models), query, ({ model }) =>
        toRateLimit(model.id, limitBook.limitsOf(projectId, model)),
      );
    },
    retrieveRateLimit: async ({ params }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const model = findLimitedModel(catalogue, params.rate_limit_id);
      return toRateLimit(model.id, limitBook.limitsOf(projectId, model));
    },
    saveRateLimit: async ({ params, body }) => {
      const { id: projectId } = await findActiveProject(projects, params.project_id);
      const model = findLimitedModel(catalogue, params.rate_limit_id);
      return toRateLimit(model.id, await saveRateLimit(context, projectId, model, body));
    },
  };
}

function toRateLimit(model: string, values: RateLimitValues): RateLimit {
  return { object: "project.rate_limit", id: rateLimitId(model), model, ...values };
}
