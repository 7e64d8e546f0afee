import { roleWord } from "@/lib/contract/access/role-words";
import type { ProjectUser } from "@/lib/contract/operations/projects/project-users";
import { toUnixSeconds } from "../../clock";
import {
  addProjectUser,
  changeProjectUser,
  findProjectUser,
  removeProjectUser,
  type UserContext,
} from "../../people/members";
import type { UserRecord } from "../../people/user-store.sql";
import type { ProjectStore } from "../../projects/project-store.sql";
import { findProject } from "../../projects/projects";
import { notFound } from "../../refusal";
import type { HeldRole } from "../../roles/access-graph";
import type { Handlers } from "../handler";
import { paginate } from "../paginate";
import { toRoleIds } from "../people/roles";

interface Context extends UserContext {
  readonly projects: ProjectStore;
}

type Ids =
  | "listProjectUsers"
  | "addProjectUser"
  | "retrieveProjectUser"
  | "changeProjectUser"
  | "removeProjectUser";

export function projectUserRoutes(context: Context): Handlers<Ids> {
  const { projects, roles, userCache, graph } = context;
  /** @throws Refusal 404 for a member who holds no role in the project directly. */
  const describe = (projectId: string, userId: string) => {
    const user = findProjectUser(context, projectId, userId);
    const projectUser = toProjectUser(user, graph.directRoles(user, projectId));
    if (!projectUser) throw notFound("user in this project", userId, "user_id");
    return projectUser;
  };
  const toMemberPlace = (params: { project_id: string; user_id: string }) => ({
    projectId: params.project_id,
    userId: params.user_id,
  });
  return {
    listProjectUsers: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginate(roles.holderPages(id, "user"), query, (holder) => {
        const user = userCache.find(holder.id);
        return user ? toProjectUser(user, graph.directRoles(user, id)) : null;
      });
    },
    retrieveProjectUser: async ({ params }) =>
      describe((await findProject(projects, params.project_id)).id, params.user_id),
    addProjectUser: async ({ params: { project_id: projectId }, body, caller, request }) => {
      const { id } = await addProjectUser(context, request, caller, projectId, body);
      return describe(projectId, id);
    },
    changeProjectUser: async ({ params, body, caller, request }) => {
      await changeProjectUser(context, request, caller, toMemberPlace(params), body.role);
      return describe(params.project_id, params.user_id);
    },
    removeProjectUser: async ({ params, caller, request }) => {
      await removeProjectUser(context, request, caller, toMemberPlace(params));
      return { object: "organization.project.user.deleted", id: params.user_id, deleted: true };
    },
  };
}

/** Null for a member without a role in the project. */
function toProjectUser({ id, name, email }: UserRecord, heldRoles: readonly HeldRole[]): ProjectUser | null {
  const [first] = heldRoles;
  if (!first) return null;
  return {
    object: "organization.project.user",
    id,
    name,
    email,
    role: roleWord(first.role.id),
    roles: toRoleIds(heldRoles),
    added_at: toUnixSeconds(Math.min(...heldRoles.map(({ assignment }) => assignment.createdAtMs))),
  };
}
