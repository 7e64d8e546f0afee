import { listInMemory } from "../../lists/paged-list";
import { findLimitDefault, listLimitDefaults } from "../../models/limit-defaults";
import { type LimitChangeContext, saveLimitChanges } from "../../rate-limits/limit-changes";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";

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
