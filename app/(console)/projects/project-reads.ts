import type { PeriodStarts } from "@/app/queries/compute-period-starts";
import type { ReadId, ReadParameters } from "@/lib/console/reads/reads";
import { keyUsageRead } from "../keys/key-reads";
import { spendReads } from "../spend-limits/spend-reads";
import type { MayInProject, ProjectTabId } from "./project-tabs";

const WHOLE = "1000";

/** Returns the read of the project itself. */
export function projectDetailReads(projectId: string) {
  return [["retrieveProject", { project_id: projectId }]] as const;
}

/** Returns the parameters of a project's lists, which are loaded at once. */
export function listParameters(projectId: string) {
  return { project_id: projectId, limit: WHOLE };
}

/** Returns the parameters of the project's calls and costs since a time in Unix seconds. */
export function callParameters(projectId: string, since: number) {
  return { project_id: projectId, start_time: String(since) };
}

type Read = ReadId | readonly [ReadId, ReadParameters] | { pages: ReadId; parameters: ReadParameters };

/** Returns a tab's reads that the person may make. */
export function tabReads(
  tab: ProjectTabId,
  projectId: string,
  since: PeriodStarts,
  may: MayInProject,
): Read[] {
  const list = listParameters(projectId);
  const asked = {
    overview: [
      may("api.requests.read") && ["retrieveRequestHistogram", callParameters(projectId, since.month)],
      may("api.requests.read") && ["retrieveRequestHistogram", callParameters(projectId, since.day)],
      may("api.project_users.read") && ["listProjectUsers", list],
      may("api.project_api_keys.read") && ["listProjectApiKeys", list],
    ],
    members: [
      may("api.project_users.read") && ["listProjectUsers", list],
      may("api.project_groups.read") && ["listProjectGroups", list],
      may("api.roles.read") && ["listProjectRoles", list],
    ],
    roles: [["listProjectRoles", list]],
    keys: [
      may("api.project_api_keys.read") && ["listProjectApiKeys", list],
      may("api.usage.read") && keyUsageRead(projectId, since.thirtyDays),
      may("api.service_accounts.read") && ["listServiceAccounts", list],
      may("api.models.read") && ["listOrganizationModels", { limit: WHOLE }],
    ],
    models: [
      may("api.model_permissions.read") && ["retrieveModelPermissions", { project_id: projectId }],
      may("api.rate_limits.read") && ["listRateLimits", list],
      may("api.models.read") && ["listOrganizationModels", { limit: WHOLE }],
    ],
    data: [["retrieveBodySettings", { project_id: projectId }]],
    spend: spendReads({ project: { id: projectId }, may, monthStart: since.month }),
  } satisfies Record<ProjectTabId, (false | Read)[]>;
  const reads: readonly (false | Read)[] = asked[tab];
  return reads.filter((read) => read !== false);
}

/** Whether a read sums calls, which takes long where there are many. */
export function isSlow(read: Read): boolean {
  return Array.isArray(read) && read[0] === "retrieveRequestHistogram";
}
