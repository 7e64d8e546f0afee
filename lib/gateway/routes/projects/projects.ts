import { roleWord } from "@/lib/contract/access/role-words";
import type { ModelPermissions } from "@/lib/contract/operations/projects/model-permissions";
import type { OrganizationSettings } from "@/lib/contract/operations/projects/organization";
import type { ProjectUser } from "@/lib/contract/operations/projects/project-users";
import type { Project, ProjectGroup } from "@/lib/contract/operations/projects/projects";
import { listVisibleProjects } from "../../access/authorize";
import { toNullableUnixSeconds, toUnixSeconds } from "../../clock";
import { listInMemory } from "../../lists/paged-list";
import {
  addProjectGroup,
  findProjectGroup,
  type ProjectGroupContext,
  removeProjectGroup,
} from "../../people/groups";
import {
  addProjectUser,
  changeProjectUser,
  findProjectUser,
  removeProjectUser,
  type UserContext,
} from "../../people/members";
import type { UserRecord } from "../../people/user-store.sql";
import type { Organization } from "../../projects/organization-store.sql";
import type { ProjectModelPermissions, ProjectRecord, ProjectStore } from "../../projects/project-store.sql";
import {
  archiveProject,
  changeOrganization,
  changeProject,
  createProject,
  deleteModelPermissions,
  findModelPermissions,
  findProject,
  type ModelPermissionContext,
  type OrganizationContext,
  type ProjectContext,
  saveModelPermissions,
} from "../../projects/projects";
import { notFound } from "../../refusal";
import type { AccessGraph, HeldRole } from "../../roles/access-graph";
import { previewRole } from "../../roles/preview-role";
import { changeRole, createRole, deleteRole, findRole, listRoles } from "../../roles/roles";
import type { Handlers } from "../handler";
import { paginate, paginateByNext } from "../paginate";
import { describeRolePreview, type RoleRoutesContext, toRole, toRoleIds } from "../people/roles";

type Ids = "listProjects" | "createProject" | "retrieveProject" | "changeProject" | "archiveProject";

export function projectRoutes(context: ProjectContext & { graph: AccessGraph }): Handlers<Ids> {
  return {
    listProjects: ({ query, caller }) => {
      const filter = {
        ids: listVisibleProjects(context.graph, caller, "api.projects.read"),
        withArchived: query.include_archived === true,
      };
      return paginate(context.projects.pages(filter), query, toProject);
    },
    createProject: async ({ body, request }) => toProject(await createProject(context, request, body)),
    retrieveProject: async ({ params }) => toProject(await findProject(context.projects, params.project_id)),
    changeProject: async ({ params, body, request }) =>
      toProject(await changeProject(context, request, params.project_id, body)),
    archiveProject: async ({ params, request }) =>
      toProject(await archiveProject(context, request, params.project_id)),
  };
}

function toProject({ id, name, createdAtMs, archivedAtMs, refusesHostedTools }: ProjectRecord): Project {
  return {
    object: "organization.project",
    id,
    name,
    status: archivedAtMs === null ? "active" : "archived",
    created_at: toUnixSeconds(createdAtMs),
    archived_at: toNullableUnixSeconds(archivedAtMs),
    hosted_tools: refusesHostedTools ? "refuse" : "leave_out",
  };
}

interface ProjectUsersContext extends UserContext {
  readonly projects: ProjectStore;
}

type ProjectUsersIds =
  | "listProjectUsers"
  | "addProjectUser"
  | "retrieveProjectUser"
  | "changeProjectUser"
  | "removeProjectUser";

export function projectUserRoutes(context: ProjectUsersContext): Handlers<ProjectUsersIds> {
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

interface ProjectGroupsContext extends ProjectGroupContext {
  readonly projects: ProjectStore;
}

type ProjectGroupsIds =
  | "listProjectGroups"
  | "addProjectGroup"
  | "retrieveProjectGroup"
  | "removeProjectGroup";

export function projectGroupRoutes(context: ProjectGroupsContext): Handlers<ProjectGroupsIds> {
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

type ProjectRolesIds =
  | "listProjectRoles"
  | "createProjectRole"
  | "retrieveProjectRole"
  | "changeProjectRole"
  | "deleteProjectRole"
  | "previewProjectRole";

export function projectRoleRoutes(
  context: RoleRoutesContext & { projects: ProjectStore },
): Handlers<ProjectRolesIds> {
  const { projects, graph } = context;
  return {
    listProjectRoles: async ({ params, query }) => {
      const { id } = await findProject(projects, params.project_id);
      return paginateByNext(listInMemory(listRoles(graph, id)), query, toRole);
    },
    retrieveProjectRole: async ({ params }) => {
      const { id } = await findProject(projects, params.project_id);
      return toRole(findRole(graph, params.role_id, id));
    },
    createProjectRole: async ({ params: { project_id }, body, caller, request }) =>
      toRole(await createRole(context, request, caller, project_id, body)),
    changeProjectRole: async ({ params: { project_id, role_id }, body, caller, request }) =>
      toRole(await changeRole(context, request, caller, { scope: project_id, id: role_id }, body)),
    deleteProjectRole: async ({ params: { project_id, role_id: id }, caller, request }) => {
      await deleteRole(context, request, caller, { scope: project_id, id });
      return { object: "role.deleted", id, deleted: true };
    },
    previewProjectRole: async ({ params, body, caller }) => {
      const { id } = await findProject(projects, params.project_id);
      return describeRolePreview(
        context,
        caller,
        previewRole(graph, caller, { scope: id, id: params.role_id }, body),
      );
    },
  };
}

interface ModelPermissionsContext extends ModelPermissionContext {
  readonly projects: ProjectStore;
}

type ModelPermissionsIds = "retrieveModelPermissions" | "saveModelPermissions" | "deleteModelPermissions";

export function modelPermissionRoutes(context: ModelPermissionsContext): Handlers<ModelPermissionsIds> {
  return {
    retrieveModelPermissions: async ({ params }) => {
      const { id } = await findProject(context.projects, params.project_id);
      return toModelPermissions(findModelPermissions(context.modelPermissionCache, id));
    },
    saveModelPermissions: async ({ params, body, request }) =>
      toModelPermissions(await saveModelPermissions(context, request, params.project_id, body)),
    deleteModelPermissions: async ({ params, request }) => {
      await deleteModelPermissions(context, request, params.project_id);
      return { object: "project.model_permissions.deleted", deleted: true };
    },
  };
}

function toModelPermissions({ mode, modelIds }: ProjectModelPermissions): ModelPermissions {
  return { object: "project.model_permissions", mode, model_ids: [...modelIds] };
}

export function organizationRoutes(
  context: OrganizationContext,
): Handlers<"retrieveOrganization" | "changeOrganization"> {
  return {
    retrieveOrganization: async () => toSettings(context.organization),
    changeOrganization: async ({ body, request }) =>
      toSettings(await changeOrganization(context, request, body)),
  };
}

function toSettings(organization: Organization): OrganizationSettings {
  return { object: "organization.settings", ...organization };
}
