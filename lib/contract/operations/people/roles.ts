import * as z from "zod/mini";
import { isPermission, type Permission, permissions, projectPermissions } from "../../access/permissions";
import { IS_NO_PERMISSION } from "../../describe-issue";
import { findNearestName } from "../../nearest-name";
import { defineOperations } from "../../operation";
import {
  description,
  displayName,
  nextPageSchema,
  orderedPageQuery,
  searchedOrderedPageQuery,
  unixSeconds,
} from "../../schema";
import { withVersion } from "../../version";

/** One holder of one role, in one place. */
const roleHolder = z.object({
  object: z.literal("role.holder"),
  id: z.string(),
  role_id: z.string(),
  holder: z.object({ type: z.enum(["user", "group", "admin_key"]), id: z.string(), name: z.string() }),
  /** The project in which the role is held; null for the organization. */
  project_id: z.nullable(z.string()),
});
export type RoleHolder = z.output<typeof roleHolder>;

export const roleHolderOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.role_assignments.read" },
  {
    listRoleHolders: {
      method: "GET",
      path: "/organization/role_holders",
      summary:
        "Lists which members, groups and admin keys hold which role themselves, and in which project; with `role_id`, that role alone.",
      query: z.extend(orderedPageQuery, { role_id: z.optional(z.string()) }),
      reply: nextPageSchema(roleHolder),
    },
  },
);

/** A role in the form of OpenAI's Admin API. */
export const role = withVersion(
  z.object({
    object: z.literal("role"),
    id: z.string(),
    name: z.string(),
    description: z.nullable(z.string()),
    permissions: z.array(z.string()),
    resource_type: z.string(),
    predefined_role: z.boolean(),
  }),
);
export type Role = z.output<typeof role>;

/**
 * The ids of all direct roles, sorted. Setting a role, or removing the holder, replaces all of them. Other gateways may
 * omit it.
 */
export const heldRoleIds = z.optional(z.array(z.string()));

export const permissionName = z.enum(permissions, { error: ({ input }) => noPermission(input) });

const projectPermissionName = z.enum(projectPermissions, {
  error: ({ input }) =>
    typeof input === "string" && isPermission(input)
      ? "counts in the whole organization alone: a project's role can't hold it"
      : noPermission(input),
});

function noPermission(input: unknown): string {
  if (typeof input !== "string") return "must be the name of a permission";
  const nearest = findNearestName(input, permissions);
  return nearest
    ? `${IS_NO_PERMISSION}; did you mean ${nearest}?`
    : `${IS_NO_PERMISSION}; they are listed at /docs/access`;
}

export const roleDraft = buildRoleDraft(permissionName);
export type RoleDraft = z.output<typeof roleDraft>;

export const roleChange = buildRoleChange(permissionName);
export type RoleChange = z.output<typeof roleChange>;

export const projectRoleDraft = buildRoleDraft(projectPermissionName);
export const projectRoleChange = buildRoleChange(projectPermissionName);

function buildPermissionList(one: z.ZodMiniType<Permission>) {
  return z.array(one).check(z.minLength(1, "must name at least one permission"), z.maxLength(100));
}

function buildRoleDraft(one: z.ZodMiniType<Permission>) {
  return z.strictObject({
    role_name: displayName,
    description: z.optional(z.nullable(description)),
    permissions: buildPermissionList(one),
  });
}

function buildRoleChange(one: z.ZodMiniType<Permission>) {
  return z.strictObject({
    role_name: z.optional(z.nullable(displayName)),
    description: z.optional(z.nullable(description)),
    permissions: z.optional(z.nullable(buildPermissionList(one))),
  });
}

export const roleDeleted = z.object({
  object: z.literal("role.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

const namedRole = z.object({ id: z.string(), name: z.string() });

/** What a change of a role does to somebody who holds it. */
const roleEffect = {
  id: z.string(),
  name: z.string(),
  /** The permissions that they would gain and lose overall. */
  gains: z.array(z.string()),
  loses: z.array(z.string()),
  /** Other roles of theirs by which they keep what the role loses, or have already what it gains. */
  kept_by: z.array(namedRole),
};

const pastActor = z.object({ type: z.enum(["user", "admin_key"]), id: z.string(), name: z.string() });

/** What was done in the past days and would be refused after the change. Reads leave no trace, and aren't counted. */
export const roleRefusals = z.object({
  days: z.int(),
  since: unixSeconds,
  /** From the audit log, the most frequent first; null if the caller may not see it. */
  changes: z.nullable(
    z.array(
      z.object({
        actor: pastActor,
        event_type: z.string(),
        project_id: z.nullable(z.string()),
        times: z.int(),
        last_at: unixSeconds,
        /** The last of these events. */
        last_audit_log_id: z.string(),
      }),
    ),
  ),
  /** Calls of models, from the call log, the most frequent first; null if the caller may not see it. */
  calls: z.nullable(z.array(z.object({ actor: pastActor, project_id: z.string(), calls: z.int() }))),
});

/** The effects of a role's change, before it is made. */
export const rolePreview = z.object({
  object: z.literal("role.preview"),
  /** The role after the change. */
  role,
  adds: z.array(z.string()),
  removes: z.array(z.string()),
  /** All members with the role. */
  members: z.array(
    z.object({
      ...roleEffect,
      email: z.string(),
      /** How they hold the role: themselves, or through groups. */
      held_by: z.array(z.object({ type: z.enum(["user", "group"]), id: z.string(), name: z.string() })),
    }),
  ),
  /** The groups that hold the role themselves, with the number of their members. */
  groups: z.array(z.object({ ...roleEffect, members: z.int() })),
  /** The admin keys with the role; each would gain and lose what the role does. */
  admin_keys: z.array(z.object({ id: z.string(), name: z.string() })),
  refused: roleRefusals,
  /** Why the change would be refused; null if it wouldn't. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string(), param: z.nullable(z.string()) })),
});
export type RolePreview = z.output<typeof rolePreview>;

/** The role to view as. With `permissions`, an unsaved draft of it. */
const roleViewDraft = z.strictObject({
  role_id: z.string().check(z.minLength(1)),
  permissions: z.optional(buildPermissionList(permissionName)),
});

const roleView = z.object({
  object: z.literal("role.view"),
  role_id: z.string(),
  /** The header that narrows requests to the role, and its value. */
  header: z.object({ name: z.string(), value: z.string() }),
  permissions: z.array(z.string()),
});

export const roleOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listRoles: {
      method: "GET",
      path: "/organization/roles",
      permission: "api.roles.read",
      summary: "Lists the organization's roles, predefined ones first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(role),
    },
    createRole: {
      method: "POST",
      effect: "creates",
      path: "/organization/roles",
      permission: "api.roles.write",
      summary: "Creates a role. Its name is unique within the organization.",
      body: roleDraft,
      reply: role,
    },
    retrieveRole: {
      method: "GET",
      path: "/organization/roles/{role_id}",
      permission: "api.roles.read",
      summary: "Returns one role.",
      reply: role,
    },
    changeRole: {
      method: "POST",
      effect: "edits",
      path: "/organization/roles/{role_id}",
      permission: "api.roles.write",
      summary:
        "Changes a role's name, description or permissions; absent fields stay. Predefined roles can't be changed.",
      body: roleChange,
      reply: role,
    },
    deleteRole: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/roles/{role_id}",
      permission: "api.roles.write",
      summary: "Deletes a role nobody holds. Predefined roles can't be deleted.",
      reply: roleDeleted,
    },
    viewAsRole: {
      method: "POST",
      effect: "acts",
      path: "/organization/role_views",
      permission: "api.roles.read",
      summary:
        "Begins a look at what a role allows, and writes it into the audit log. Requests with the header of its reply see at most that, and change nothing.",
      body: roleViewDraft,
      reply: roleView,
    },
    previewRole: {
      method: "POST",
      effect: "acts",
      path: "/organization/roles/{role_id}/preview",
      permission: "api.role_assignments.read",
      summary:
        "Says what a change of a role would do to everyone who holds it, and what of the last days it would have refused. Changes nothing.",
      body: roleChange,
      reply: rolePreview,
    },
  },
);
