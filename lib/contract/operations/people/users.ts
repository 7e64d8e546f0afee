import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { pageQuery, pageSchema, queryList, unixSeconds } from "../../schema";
import { withVersion } from "../../version";
import { heldRoleIds } from "./roles";

/** A member of the organization, after OpenAI's `organization.user`. */
export const user = withVersion(
  z.object({
    object: z.literal("organization.user"),
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** The first of the roles held directly: a word such as `owner` for a predefined one, else its id. */
    role: z.nullable(z.string()),
    roles: heldRoleIds,
    added_at: unixSeconds,
    developer_persona: z.nullable(z.string()),
    technical_level: z.nullable(z.string()),
  }),
);
export type User = z.output<typeof user>;

const note = z.string().check(z.trim(), z.maxLength(100));

/**
 * `role` is a word such as `owner`, or a role's id; `role_id` the id. Either takes the place of all roles held
 * directly.
 */
const userChange = z
  .strictObject({
    role: z.optional(z.nullable(z.string())),
    role_id: z.optional(z.nullable(z.string())),
    developer_persona: z.optional(z.nullable(note)),
    technical_level: z.optional(z.nullable(note)),
  })
  .check(
    z.refine((change) => !change.role || !change.role_id || change.role === change.role_id, {
      message: "must not name two roles: send role or role_id",
    }),
  );
export type UserChange = z.output<typeof userChange>;

const listQuery = z.extend(pageQuery, { emails: z.optional(queryList) });

const deletedUser = z.object({
  object: z.literal("organization.user.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const userOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listUsers: {
      method: "GET",
      path: "/organization/users",
      permission: "api.users.read",
      summary: "Lists the organization's members, oldest first; with `emails`, those alone.",
      query: listQuery,
      reply: pageSchema(user),
    },
    retrieveUser: {
      method: "GET",
      path: "/organization/users/{user_id}",
      permission: "api.users.read",
      summary: "Returns one member.",
      reply: user,
    },
    changeUser: {
      method: "POST",
      effect: "edits",
      path: "/organization/users/{user_id}",
      permission: "api.users.write",
      summary: "Changes a member. A role takes the place of all roles the member holds directly.",
      body: userChange,
      reply: user,
    },
    deleteUser: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/users/{user_id}",
      permission: "api.users.write",
      summary: "Removes a member: roles, groups and sessions end at once. Past usage stays.",
      reply: deletedUser,
    },
  },
);
