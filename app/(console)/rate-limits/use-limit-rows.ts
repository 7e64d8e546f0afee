"use client";

import { useRead } from "@/app/queries/use-read";
import { joinModels } from "./limit-row";
import { MOST_ROWS } from "./reads-of-limits";

/** A project's rate limits with what is known of their models; without rows while `limits` has none. */
export function useLimitRows(projectId: string) {
  const limits = useRead("listRateLimits", { project_id: projectId, limit: MOST_ROWS });
  const models = useRead("listOrganizationModels", { limit: MOST_ROWS });
  // Without the models' families a row would change its meaning a moment later.
  const rows = limits.data && !models.isPending ? joinModels(limits.data.data, models.data?.data) : undefined;
  return { limits, rows, hasMore: limits.data?.has_more ?? false };
}
