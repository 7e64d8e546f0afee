import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { nextPageSchema, searchedOrderedPageQuery } from "../../schema";
import { permissionName } from "./roles";

const roleReference = z.object({ id: z.string(), name: z.string() });

/** Why a permission is held, or what is missing. */
const permissionExplanation = z.object({
  object: z.literal("permission.explanation"),
  permission: z.string(),
  /** The permission's description. */
  sentence: z.string(),
  principal: z.object({
    type: z.enum(["user", "admin_key", "project_key"]),
    id: z.string(),
    name: z.string(),
  }),
  project_id: z.nullable(z.string()),
  granted: z.boolean(),
  /** The ways in which the permission is held, each with its role, holder and place. Empty if it isn't held. */
  paths: z.array(
    z.object({
      role: roleReference,
      held_by: z.object({
        type: z.enum(["user", "group", "admin_key", "project_key"]),
        id: z.string(),
        name: z.string(),
      }),
      /** The project in which the role is held; null for the organization. */
      project_id: z.nullable(z.string()),
    }),
  ),
  /**
   * If the permission is missing: the role that would give it together with the fewest other permissions. In a project,
   * a role of that project comes before one of the organization, which would count everywhere. Null if no role holds
   * it.
   */
  least_role: z.nullable(
    z.object({
      role: roleReference,
      project_id: z.nullable(z.string()),
      also_grants: z.array(z.string()),
    }),
  ),
});
export type PermissionExplanation = z.output<typeof permissionExplanation>;

const explainQuery = z
  .strictObject({
    user_id: z.optional(z.string()),
    key_id: z.optional(z.string()),
    permission: permissionName,
    project_id: z.optional(z.string()),
  })
  .check(
    z.refine(({ user_id: user, key_id: key }) => (user === undefined) !== (key === undefined), {
      message: "must name whom it is about once: send user_id or key_id",
    }),
  );

/** One way in which somebody holds a permission. */
const permissionHolder = z.object({
  object: z.literal("permission.holder"),
  id: z.string(),
  holder: z.object({
    type: z.enum(["user", "group", "admin_key", "project_key"]),
    id: z.string(),
    name: z.string(),
  }),
  role: roleReference,
  /** The group by which a member holds it; null for what is held directly. */
  through: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** The project in which the role is held; null for the organization, which counts in every project. */
  project_id: z.nullable(z.string()),
});
export type PermissionHolder = z.output<typeof permissionHolder>;

export const permissionOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.role_assignments.read" },
  {
    explainPermission: {
      method: "GET",
      path: "/organization/permissions/explain",
      summary:
        "Says why a member or key holds a permission, or which role would give it and the least besides.",
      query: explainQuery,
      reply: permissionExplanation,
    },
    listPermissionHolders: {
      method: "GET",
      path: "/organization/permissions/{permission}/holders",
      summary:
        "Lists who holds a permission, by which role and where: members, groups, admin keys and project keys. With `project_id`, who holds it in that project.",
      query: z.extend(searchedOrderedPageQuery, { project_id: z.optional(z.string()) }),
      reply: nextPageSchema(permissionHolder),
    },
  },
);
