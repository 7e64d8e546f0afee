import { keyReads } from "@/components/keys/key-reads";
import type { Read } from "@/components/queries/reads/prefetched";
import { firstRows, wholeList } from "@/components/queries/reads/whole-list";
import type { PeriodStarts } from "@/components/usage/compute-period-starts";
import type { HeldPermissions } from "@/lib/console/permissions-in";
import { requestOutcomes } from "@/lib/contract/calls/request-outcomes";
import type { RequestHistogram } from "@/lib/contract/operations/calls/requests";
import type { Project } from "@/lib/contract/operations/projects/projects";
import type { MayInProject, ProjectTabId } from "./project-tabs";

/** Returns the read of the project itself. */
export function projectRead(projectId: string) {
  return ["retrieveProject", { project_id: projectId }] as const;
}

/** The people and programs of a project: lists of any length, newest first. */
export const holderReads = {
  members: (projectId: string) => firstRows("listProjectUsers", { project_id: projectId, order: "desc" }),
  groups: (projectId: string) => firstRows("listProjectGroups", { project_id: projectId, order: "desc" }),
};

/** Returns the parameters of the project's calls and costs since a time in Unix seconds. */
export function callParameters(projectId: string, since: number) {
  return { project_id: projectId, start_time: String(since) };
}

/** Returns a tab's reads that the person may make. */
export function tabReads(
  tab: ProjectTabId,
  projectId: string,
  since: PeriodStarts,
  may: MayInProject,
): Read[] {
  const project = { project_id: projectId };
  const asked = {
    overview: [
      may("api.requests.read") && ["retrieveRequestHistogram", callParameters(projectId, since.month)],
      may("api.requests.read") && ["retrieveRequestHistogram", callParameters(projectId, since.day)],
      may("api.project_users.read") && holderReads.members(projectId),
      may("api.project_api_keys.read") && keyReads(projectId).keys,
    ],
    members: [
      may("api.project_users.read") && holderReads.members(projectId),
      may("api.project_groups.read") && holderReads.groups(projectId),
      may("api.roles.read") && wholeList("listProjectRoles", project),
    ],
    models: [
      may("api.model_permissions.read") && ["retrieveModelPermissions", project],
      may("api.models.read") && wholeList("listOrganizationModels"),
    ],
    data: [["retrieveBodySettings", project]],
  } satisfies Record<ProjectTabId, (false | Read)[]>;
  const reads: readonly (false | Read)[] = asked[tab];
  return reads.filter((read) => read !== false);
}

/** Whether a read sums calls, which takes long where there are many. */
export function isSlow(read: Read): boolean {
  return Array.isArray(read) && read[0] === "retrieveRequestHistogram";
}

/** Returns the number of all calls and of those the gateway refused. */
export function countCalls(totals: RequestHistogram["totals"]): { all: number; refused: number } {
  return {
    all: requestOutcomes.reduce((sum, outcome) => sum + totals[outcome], 0),
    refused: totals.refused,
  };
}

/** The props of every part of a project's page. */
export type ProjectPartProps = {
  project: Project;
  /** Whether the person has a permission there. False for all changes of an archived project. */
  may: MayInProject;
  held: HeldPermissions | null;
  /** The signed-in member's id; null for a key. */
  ownId: string | null;
  since: PeriodStarts;
};
