import { defineOperations } from "../../operation";
import { nextPageSchema, orderedPageQuery } from "../../schema";
import {
  assignedRole,
  groupRole,
  groupRoleDeleted,
  roleAssignmentDraft,
  userRole,
  userRoleDeleted,
} from "../people/role-assignments";

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
