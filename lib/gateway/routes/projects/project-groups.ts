import type { ProjectGroup } from "@/lib/contract/operations/projects/projects";
import { toUnixSeconds } from "../../clock";
import {
  addProjectGroup,
  findProjectGroup,
  type ProjectGroupContext,
  removeProjectGroup,
} from "../../people/groups";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { HeldRole } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginateByNext } from "../paginate";
import { toRoleIds } from "../people/roles";

interface Context extends ProjectGroupContext {
  readonly projects: ProjectStore;
}

type Ids = "listProjectGroups" | "addProjectGroup" | "retrieveProjectGroup" | "removeProjectGroup";

export function projectGroupRoutes(context: Context): Handlers<Ids> {
  const { projects, roles, groupCache, graph } = context;
  /** Null for a group that holds no role in the project, or was deleted meanwhile. */
  const describe = (projectId: string, id: string): ProjectGroup | null => {
    const heldRoles = graph.directRoles({ id }, projectId);
    const group = groupCache.find(id);
    return group && heldRoles.length > 0 ? toProjectGroup(projectId, group, heldRoles) : null;
  };
  const find = (projectId: string, groupId: string) => {
    const group = describe(projectId, findProjectGroup(context, projectId, groupId).id);
    if (!group) throw notFound("group in this project", groupId, "group_id");
    return group;
  };
  return {
    listProjectGroups: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginateByNext(roles.holderPages(id, "group"), query, (group) => describe(id, group.id));
    },
    retrieveProjectGroup: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      if (query.group_type === "tenant_group") {
        throw notFound("tenant group in this project", params.group_id, "group_id");
      }
      return find(id, params.group_id);
    },
    addProjectGroup: async ({ params: { project_id: projectId }, body, caller, request }) => {
      await addProjectGroup(context, request, caller, projectId, body);
      return find(projectId, body.group_id);
    },
    removeProjectGroup: async ({ params, caller, request }) => {
      await removeProjectGroup(context, request, caller, {
        projectId: params.project_id,
        groupId: params.group_id,
      });
      return { object: "project.group.deleted", deleted: true };
    },
  };
}

function toProjectGroup(
  project_id: string,
  { id, name }: { id: string; name: string },
  heldRoles: readonly HeldRole[],
): ProjectGroup {
  return {
    object: "project.group",
    project_id,
    group_id: id,
    group_name: name,
    group_type: "group",
    roles: toRoleIds(heldRoles),
    created_at: toUnixSeconds(Math.min(...heldRoles.map(({ assignment }) => assignment.createdAtMs))),
  };
}
