import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { nextPageSchema, orderedPageQuery } from "../../schema";

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
