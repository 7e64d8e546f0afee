import { defineOperations } from "../../operation";
import { nextPageSchema, orderedPageQuery, searchedOrderedPageQuery } from "../../schema";
import {
  assignedRole,
  groupRole,
  groupRoleDeleted,
  roleAssignmentDraft,
  userRole,
  userRoleDeleted,
} from "../people/role-assignments";
import { projectRoleChange, projectRoleDraft, role, roleDeleted, rolePreview } from "../people/roles";

export const projectRoleAssignmentOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listProjectUserRoles: {
      method: "GET",
      path: "/projects/{project_id}/users/{user_id}/roles",
      permission: "api.role_assignments.read",
      summary: "Lists the roles a member holds in a project, directly and through groups.",
      query: orderedPageQuery,
      reply: nextPageSchema(assignedRole),
    },
    assignProjectUserRole: {
      method: "POST",
      effect: "creates",
      path: "/projects/{project_id}/users/{user_id}/roles",
      permission: "api.role_assignments.write",
      summary: "Gives a member a role in a project. Nobody gives more than they hold.",
      body: roleAssignmentDraft,
      reply: userRole,
    },
    retrieveProjectUserRole: {
      method: "GET",
      path: "/projects/{project_id}/users/{user_id}/roles/{role_id}",
      permission: "api.role_assignments.read",
      summary: "Returns one role a member holds in a project.",
      reply: assignedRole,
    },
    unassignProjectUserRole: {
      method: "DELETE",
      effect: "deletes",
      path: "/projects/{project_id}/users/{user_id}/roles/{role_id}",
      permission: "api.role_assignments.write",
      summary: "Takes from a member a role held directly in a project.",
      reply: userRoleDeleted,
    },
    listProjectGroupRoles: {
      method: "GET",
      path: "/projects/{project_id}/groups/{group_id}/roles",
      permission: "api.role_assignments.read",
      summary: "Lists the roles a group holds in a project.",
      query: orderedPageQuery,
      reply: nextPageSchema(assignedRole),
    },
    assignProjectGroupRole: {
      method: "POST",
      effect: "creates",
      path: "/projects/{project_id}/groups/{group_id}/roles",
      permission: "api.role_assignments.write",
      summary: "Gives a group a role in a project. Nobody gives more than they hold.",
      body: roleAssignmentDraft,
      reply: groupRole,
    },
    retrieveProjectGroupRole: {
      method: "GET",
      path: "/projects/{project_id}/groups/{group_id}/roles/{role_id}",
      permission: "api.role_assignments.read",
      summary: "Returns one role a group holds in a project.",
      reply: assignedRole,
    },
    unassignProjectGroupRole: {
      method: "DELETE",
      effect: "deletes",
      path: "/projects/{project_id}/groups/{group_id}/roles/{role_id}",
      permission: "api.role_assignments.write",
      summary: "Takes from a group a role held directly in a project.",
      reply: groupRoleDeleted,
    },
  },
);

export const projectRoleOperations = defineOperations(
  { surface: "v1 and origin", scope: "project" },
  {
    listProjectRoles: {
      method: "GET",
      path: "/projects/{project_id}/roles",
      permission: "api.roles.read",
      summary: "Lists the roles that can be held in a project, predefined ones first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(role),
    },
    createProjectRole: {
      method: "POST",
      effect: "creates",
      path: "/projects/{project_id}/roles",
      permission: "api.roles.write",
      summary: "Creates a role of one project, with permissions that count in a project.",
      body: projectRoleDraft,
      reply: role,
    },
    retrieveProjectRole: {
      method: "GET",
      path: "/projects/{project_id}/roles/{role_id}",
      permission: "api.roles.read",
      summary: "Returns one role of a project.",
      reply: role,
    },
    changeProjectRole: {
      method: "POST",
      effect: "edits",
      path: "/projects/{project_id}/roles/{role_id}",
      permission: "api.roles.write",
      summary: "Changes a project's role; absent fields stay. Predefined roles can't be changed.",
      body: projectRoleChange,
      reply: role,
    },
    deleteProjectRole: {
      method: "DELETE",
      effect: "deletes",
      path: "/projects/{project_id}/roles/{role_id}",
      permission: "api.roles.write",
      summary: "Deletes a project's role nobody holds. Predefined roles can't be deleted.",
      reply: roleDeleted,
    },
    previewProjectRole: {
      method: "POST",
      effect: "acts",
      path: "/projects/{project_id}/roles/{role_id}/preview",
      permission: "api.role_assignments.read",
      summary:
        "Says what a change of a project's role would do to everyone who holds it, and changes nothing.",
      body: projectRoleChange,
      reply: rolePreview,
    },
  },
);
