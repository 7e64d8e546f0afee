import * as z from "zod/mini";
import { defineOperation } from "../operation";
import { isPermission, nearestPermission, type Permission, projectPermissions } from "../permissions";
import { description, displayName, nextPageOf, orderedPageQuery } from "../schema";

/** Specification section 2.6. */
export const role = z.object({
  object: z.literal("role"),
  id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  permissions: z.array(z.string()),
  resource_type: z.string(),
  predefined_role: z.boolean(),
});
export type Role = z.output<typeof role>;

const permission = z.custom<Permission>((value) => typeof value === "string" && isPermission(value), {
  error: (issue) =>
    typeof issue.input === "string"
      ? `is not a permission; did you mean ${nearestPermission(issue.input)}?`
      : "must be the name of a permission",
});

const projectPermission = permission.check(
  z.refine((name) => projectPermissions.includes(name), {
    message: "counts in the whole organization alone: a project's role can't hold it",
  }),
);

export const roleDraft = draftOf(permission);
export type RoleDraft = z.output<typeof roleDraft>;

export const roleChange = changeOf(permission);
export type RoleChange = z.output<typeof roleChange>;

export const projectRoleDraft = draftOf(projectPermission);
export const projectRoleChange = changeOf(projectPermission);

function listOf(one: typeof permission) {
  return z.array(one).check(z.minLength(1, "must name at least one permission"), z.maxLength(100));
}

function draftOf(one: typeof permission) {
  return z.strictObject({
    role_name: displayName,
    description: z.optional(z.nullable(description)),
    permissions: listOf(one),
  });
}

function changeOf(one: typeof permission) {
  return z
    .strictObject({
      role_name: z.optional(z.nullable(displayName)),
      description: z.optional(z.nullable(description)),
      permissions: z.optional(z.nullable(listOf(one))),
    })
    .check(
      z.refine((change) => Object.values(change).some((value) => value !== undefined), {
        message: "must carry at least one of role_name, description, permissions",
      }),
    );
}

export const roleDeleted = z.object({
  object: z.literal("role.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const roleOperations = {
  listRoles: defineOperation({
    id: "listRoles",
    method: "GET",
    path: "/organization/roles",
    surface: "v1 and origin",
    permission: "api.roles.read",
    summary: "Lists the organization's roles, predefined ones first.",
    query: orderedPageQuery,
    reply: nextPageOf(role),
  }),
  createRole: defineOperation({
    id: "createRole",
    method: "POST",
    path: "/organization/roles",
    surface: "v1 and origin",
    permission: "api.roles.write",
    summary: "Creates a role. Its name is unique within the organization.",
    body: roleDraft,
    reply: role,
  }),
  retrieveRole: defineOperation({
    id: "retrieveRole",
    method: "GET",
    path: "/organization/roles/{role_id}",
    surface: "v1 and origin",
    permission: "api.roles.read",
    summary: "Returns one role.",
    reply: role,
  }),
  changeRole: defineOperation({
    id: "changeRole",
    method: "POST",
    path: "/organization/roles/{role_id}",
    surface: "v1 and origin",
    permission: "api.roles.write",
    summary:
      "Changes a role's name, description or permissions; absent fields stay. Predefined roles can't be changed.",
    body: roleChange,
    reply: role,
  }),
  deleteRole: defineOperation({
    id: "deleteRole",
    method: "DELETE",
    path: "/organization/roles/{role_id}",
    surface: "v1 and origin",
    permission: "api.roles.write",
    summary: "Deletes a role nobody holds. Predefined roles can't be deleted.",
    reply: roleDeleted,
  }),
};
