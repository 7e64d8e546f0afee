import { listInMemory } from "../../lists/paged-list";
import {
  findLimitDefault,
  type LimitDefaultContext,
  listLimitDefaults,
  saveLimitDefault,
} from "../../models/limit-defaults";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

type Ids = "listRateLimitDefaults" | "retrieveRateLimitDefault" | "saveRateLimitDefault";

export function rateLimitDefaultRoutes(context: LimitDefaultContext): Handlers<Ids> {
  return {
    listRateLimitDefaults: async ({ query }) =>
      paginate(listInMemory(await listLimitDefaults(context)), query, (one) => one),
    retrieveRateLimitDefault: ({ params }) => findLimitDefault(context, params.default_id),
    saveRateLimitDefault: ({ params, body, request }) =>
      saveLimitDefault(context, request, params.default_id, body),
  };
}
