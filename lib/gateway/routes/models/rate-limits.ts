import { type RateLimitValues, rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { rateLimitId } from "@/lib/contract/ids";
import type { RateLimit } from "@/lib/contract/operations/models/rate-limits";
import { listInMemory } from "../../lists/paged-list";
import type { Catalogue } from "../../models/catalogue";
import { findLimitDefault, listLimitDefaults } from "../../models/limit-defaults";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { type LimitChangeContext, saveLimitChanges } from "../../rate-limits/limit-changes";
import {
  findLimitedModel,
  type RateLimitCache,
  type RateLimitContext,
  saveRateLimit,
} from "../../rate-limits/rate-limits";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

interface Context extends RateLimitContext {
  readonly projects: ProjectStore;
  readonly catalogue: Catalogue;
  readonly rateLimitCache: RateLimitCache;
}

export function rateLimitRoutes(
  context: Context,
): Handlers<"listRateLimits" | "retrieveRateLimit" | "saveRateLimit"> {
  const { projects, catalogue, rateLimitCache } = context;
  const describe = (projectId: string, model: string, values: RateLimitValues): RateLimit => {
    const own = rateLimitCache.ownLimits(projectId, model);
    const own_fields = rateLimitFields.filter((field) => own[field] !== undefined);
    return { object: "project.rate_limit", id: rateLimitId(model), model, ...values, own_fields };
  };
  return {
    listRateLimits: async ({ params, query }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const { changed: isChanged } = query;
      const limits = catalogue.list().flatMap((model) => {
        const values = rateLimitCache.effectiveLimits(projectId, model);
        const isListed = isChanged === undefined || isChanged === differs(values, model.defaultRateLimits);
        return isListed ? { id: rateLimitId(model.id), model: model.id, values } : [];
      });
      return paginate(listInMemory(limits), query, ({ model, values }) => describe(projectId, model, values));
    },
    retrieveRateLimit: async ({ params }) => {
      const { id: projectId } = await findProject(projects, params.project_id);
      const model = findLimitedModel(catalogue, params.rate_limit_id);
      return describe(projectId, model.id, rateLimitCache.effectiveLimits(projectId, model));
    },
    saveRateLimit: async ({ params, body, request }) => {
      const limitPath = { projectId: params.project_id, rateLimitId: params.rate_limit_id };
      const { model, values } = await saveRateLimit(context, request, limitPath, body);
      return describe(params.project_id, model, values);
    },
  };
}

const differs = (values: RateLimitValues, other: RateLimitValues) =>
  rateLimitFields.some((field) => values[field] !== other[field]);

type Ids = "listRateLimitDefaults" | "retrieveRateLimitDefault" | "saveRateLimitDefault";

export function rateLimitDefaultRoutes(context: LimitChangeContext): Handlers<Ids> {
  return {
    listRateLimitDefaults: async ({ query }) =>
      paginate(listInMemory(await listLimitDefaults(context)), query, (one) => one),
    retrieveRateLimitDefault: ({ params }) => findLimitDefault(context, params.default_id),
    saveRateLimitDefault: async ({ params: { default_id }, body, caller, request }) => {
      await findLimitDefault(context, default_id);
      await saveLimitChanges(context, request, caller, [{ default_id, ...body }]);
      return findLimitDefault(context, default_id);
    },
  };
}
