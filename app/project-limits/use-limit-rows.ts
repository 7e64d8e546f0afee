"use client";

import { useRead } from "@/app/queries/reads/use-read";
import { limitReads } from "./limit-reads";
import { joinModels } from "./limit-row";

/** Reads a project's rate limits with the properties of their models. The read's data are the rows. */
export function useLimitRows(projectId: string) {
  const reads = limitReads(projectId);
  const limits = useRead(...reads.limits);
  const models = useRead(...reads.models);
  // Wait for the models: without their families, the rows would first be shown wrongly.
  const data = limits.data && !models.isPending ? joinModels(limits.data.data, models.data?.data) : undefined;
  return { rows: { ...limits, data }, hasMore: limits.data?.has_more ?? false };
}
