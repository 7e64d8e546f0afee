"use client";

import { useRead } from "@/app/queries/use-read";
import { joinModels } from "./limit-row";
import { MOST_ROWS } from "./reads-of-limits";

/** A project's rate limits, each with what is known of its model: a read whose data are the rows. */
export function useLimitRows(projectId: string) {
  const limits = useRead("listRateLimits", { project_id: projectId, limit: MOST_ROWS });
  const models = useRead("listOrganizationModels", { limit: MOST_ROWS });
  // Without the models' families a row would change its meaning a moment later.
  const data = limits.data && !models.isPending ? joinModels(limits.data.data, models.data?.data) : undefined;
  return { rows: { ...limits, data }, hasMore: limits.data?.has_more ?? false };
}
