import type { ProjectGroup } from "@/lib/contract/operations/project-groups";
import { roleIdOf } from "@/lib/contract/role-words";
import type { GroupBook } from "../members/group-book";
import type { OneAtATime } from "../ports/one-at-a-time";
import { conflict, notFound } from "../ports/refusal";
import { findActiveProject, findProject } from "../projects/find-project";
import type { ProjectStore } from "../projects/project-store";
import type { HeldRole } from "../roles/access-graph";
import { type AssignmentContext, seatRoles } from "../roles/assign-roles";
import { findRole } from "../roles/find-role";
import type { Handlers } from "./handler";
import { paginateByNext } from "./paginate";
import { toRoleIds } from "./roles";
import { toUnixSeconds } from "./unix-seconds";

export interface ProjectGroupContext extends AssignmentContext {
  readonly projects: ProjectStore;
  readonly groupBook: GroupBook;
  readonly inTurn: OneAtATime;
}

type Ids = "listProjectGroups" | "addProjectGroup" | "retrieveProjectGroup" | "removeProjectGroup";

export function projectGroupRoutes(context: ProjectGroupContext): Handlers<Ids> {
  const { projects, groupBook, graph, inTurn } = context;
  /** Null for a group that holds no role in the project. */
  const describe = (projectId: string, id: string): ProjectGroup | null => {
    const held = graph.directRoles({ id }, projectId);
    return held.length > 0 ? toProjectGroup(projectId, groupBook.find(id), held) : null;
  };
  const find = (projectId: string, groupId: string) => {
    const group = describe(projectId, groupId);
    if (!group) throw notFound("group in this project", groupId, "group_id");
    return group;
  };
  return {
    listProjectGroups: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginateByNext(context.roles.listedHolders(id, "group"), query, (group) =>
        describe(id, group.id),
      );
    },
    retrieveProjectGroup: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      if (query.group_type === "tenant_group") {
        throw notFound("tenant group in this project", params.group_id, "group_id");
      }
      return find(id, params.group_id);
    },
    addProjectGroup: ({ params, body, caller }) =>
      inTurn(async () => {
        const { id: projectId } = await findActiveProject(projects, params.project_id);
        const { id, name } = groupBook.find(body.group_id);
        if (graph.directRoles({ id }, projectId).length > 0) {
          throw conflict("group_id", `The group "${name}" is in this project already.`);
        }
        const role = findRole(graph, roleIdOf(body.role, true), projectId, "role");
        await seatRoles(context, caller, { principal: { kind: "group", id }, projectId }, [role]);
        return find(projectId, id);
      }),
    removeProjectGroup: ({ params, caller }) =>
      inTurn(async () => {
        const { id: projectId } = await findActiveProject(projects, params.project_id);
        const { group_id: id } = find(projectId, params.group_id);
        await seatRoles(context, caller, { principal: { kind: "group", id }, projectId }, []);
        return { object: "project.group.deleted", deleted: true };
      }),
  };
}

function toProjectGroup(
  project_id: string,
  { id, name }: { id: string; name: string },
  held: readonly HeldRole[],
): ProjectGroup {
  return {
    object: "project.group",
    project_id,
    group_id: id,
    group_name: name,
    group_type: "group",
    roles: toRoleIds(held),
    created_at: toUnixSeconds(Math.min(...held.map(({ assignment }) => assignment.createdAtMs))),
  };
}
