import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { nextPageSchema, orderedPageQuery, unixSeconds } from "../../schema";
import { withVersion } from "../../version";
import { groupReference } from "./groups";
import { role } from "./roles";
import { user } from "./users";

/** A held role, after OpenAI's assignment entries. `assignment_sources` are its sources: the member, or groups. */
export const assignedRole = withVersion(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.nullable(z.string()),
    permissions: z.array(z.string()),
    predefined_role: z.boolean(),
    resource_type: z.string(),
    assignment_sources: z.array(
      z.object({ principal_type: z.enum(["user", "group"]), principal_id: z.string() }),
    ),
    created_at: z.nullable(unixSeconds),
    updated_at: z.null(),
    created_by: z.null(),
    created_by_user_obj: z.null(),
    metadata: z.null(),
  }),
);
export type AssignedRole = z.output<typeof assignedRole>;

export const roleAssignmentDraft = z.strictObject({ role_id: z.string().check(z.minLength(1)) });

export const userRole = z.object({ object: z.literal("user.role"), user, role });
export const userRoleDeleted = z.object({ object: z.literal("user.role.deleted"), deleted: z.literal(true) });
export const groupRole = z.object({ object: z.literal("group.role"), group: groupReference, role });
export const groupRoleDeleted = z.object({
  object: z.literal("group.role.deleted"),
  deleted: z.literal(true),
});

export const roleAssignmentOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listUserRoles: {
      method: "GET",
      path: "/organization/users/{user_id}/roles",
      permission: "api.role_assignments.read",
      summary: "Lists the roles a member holds in the organization, directly and through groups.",
      query: orderedPageQuery,
      reply: nextPageSchema(assignedRole),
    },
    assignUserRole: {
      method: "POST",
      effect: "creates",
      path: "/organization/users/{user_id}/roles",
      permission: "api.role_assignments.write",
      summary: "Gives a member a role in the organization. Nobody gives more than they hold.",
      body: roleAssignmentDraft,
      reply: userRole,
    },
    retrieveUserRole: {
      method: "GET",
      path: "/organization/users/{user_id}/roles/{role_id}",
      permission: "api.role_assignments.read",
      summary: "Returns one role a member holds in the organization.",
      reply: assignedRole,
    },
    unassignUserRole: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/users/{user_id}/roles/{role_id}",
      permission: "api.role_assignments.write",
      summary: "Takes from a member a role held directly in the organization. The last owner stays.",
      reply: userRoleDeleted,
    },
    listGroupRoles: {
      method: "GET",
      path: "/organization/groups/{group_id}/roles",
      permission: "api.role_assignments.read",
      summary: "Lists the roles a group holds in the organization.",
      query: orderedPageQuery,
      reply: nextPageSchema(assignedRole),
    },
    assignGroupRole: {
      method: "POST",
      effect: "creates",
      path: "/organization/groups/{group_id}/roles",
      permission: "api.role_assignments.write",
      summary: "Gives a group a role in the organization. Nobody gives more than they hold.",
      body: roleAssignmentDraft,
      reply: groupRole,
    },
    retrieveGroupRole: {
      method: "GET",
      path: "/organization/groups/{group_id}/roles/{role_id}",
      permission: "api.role_assignments.read",
      summary: "Returns one role a group holds in the organization.",
      reply: assignedRole,
    },
    unassignGroupRole: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/groups/{group_id}/roles/{role_id}",
      permission: "api.role_assignments.write",
      summary: "Takes from a group a role held directly in the organization. The last owner stays.",
      reply: groupRoleDeleted,
    },
  },
);
