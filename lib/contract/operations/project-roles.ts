import { defineOperation } from "../operation";
import { nextPageOf, orderedPageQuery } from "../schema";
import { projectRoleChange, projectRoleDraft, role, roleDeleted, rolePreview } from "./roles";

export const projectRoleOperations = {
  listProjectRoles: defineOperation({
    id: "listProjectRoles",
    method: "GET",
    path: "/projects/{project_id}/roles",
    surface: "v1 and origin",
    permission: "api.roles.read",
    summary: "Lists the roles that can be held in a project, predefined ones first.",
    query: orderedPageQuery,
    reply: nextPageOf(role),
  }),
  createProjectRole: defineOperation({
    id: "createProjectRole",
    method: "POST",
    path: "/projects/{project_id}/roles",
    surface: "v1 and origin",
    permission: "api.roles.write",
    summary: "Creates a role of one project, with permissions that count in a project.",
    body: projectRoleDraft,
    reply: role,
  }),
  retrieveProjectRole: defineOperation({
    id: "retrieveProjectRole",
    method: "GET",
    path: "/projects/{project_id}/roles/{role_id}",
    surface: "v1 and origin",
    permission: "api.roles.read",
    summary: "Returns one role of a project.",
    reply: role,
  }),
  changeProjectRole: defineOperation({
    id: "changeProjectRole",
    method: "POST",
    path: "/projects/{project_id}/roles/{role_id}",
    surface: "v1 and origin",
    permission: "api.roles.write",
    summary: "Changes a project's role; absent fields stay. Predefined roles can't be changed.",
    body: projectRoleChange,
    reply: role,
  }),
  deleteProjectRole: defineOperation({
    id: "deleteProjectRole",
    method: "DELETE",
    path: "/projects/{project_id}/roles/{role_id}",
    surface: "v1 and origin",
    permission: "api.roles.write",
    summary: "Deletes a project's role nobody holds. Predefined roles can't be deleted.",
    reply: roleDeleted,
  }),
  previewProjectRole: defineOperation({
    id: "previewProjectRole",
    method: "POST",
    path: "/projects/{project_id}/roles/{role_id}/preview",
    surface: "v1 and origin",
    permission: "api.role_assignments.read",
    summary: "Says what a change of a project's role would do to everyone who holds it, and changes nothing.",
    body: projectRoleChange,
    reply: rolePreview,
  }),
};
