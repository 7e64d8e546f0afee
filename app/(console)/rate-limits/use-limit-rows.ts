"use client";

import { useRead } from "@/components/queries/reads/use-read";
import { limitReads } from "@/components/rate-limits/limit-reads";
import { findRow, joinModels } from "./limit-row";

/** Reads a project's rate limits with the properties of their models. The read's data are the rows. */
function useLimitRows(projectId: string) {
  const reads = limitReads(projectId);
  const limits = useRead(...reads.limits);
  const models = useRead(...reads.models);
  // Wait for the models: without their families, the rows would first be shown wrongly.
  const data = limits.data && !models.isPending ? joinModels(limits.data.data, models.data?.data) : undefined;
  return { rows: { ...limits, data }, hasMore: limits.data?.has_more ?? false };
}

/**
 * Reads one rate limit of a project, by its id or its model's. One beyond the first rows of a long list is read by
 * itself. `rows` is the read that has it.
 */
export function useLimitRow(projectId: string, rateLimitId: string) {
  const { rows, hasMore } = useLimitRows(projectId);
  const models = useRead(...limitReads(projectId).models).data?.data;
  const listed = rows.data && findRow(rows.data, rateLimitId);
  const isBeyond = hasMore && rows.data !== undefined && listed === undefined;
  const parameters = { project_id: projectId, rate_limit_id: rateLimitId };
  const single = useRead("retrieveRateLimit", parameters, { enabled: isBeyond });
  if (!isBeyond) return { rows, row: listed };
  const data = single.data && joinModels([single.data], models);
  return { rows: { ...single, data }, row: data?.[0] };
}
