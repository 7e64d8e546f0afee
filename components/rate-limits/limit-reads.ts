import { wholeList } from "@/components/queries/reads/whole-list";

/** Returns the reads of both rate limit screens, made in parallel. */
export function limitReads(projectId: string) {
  return {
    limits: wholeList("listRateLimits", { project_id: projectId }),
    models: wholeList("listOrganizationModels"),
    usage: wholeList("listLimitUsage", { project_id: projectId }),
  };
}
