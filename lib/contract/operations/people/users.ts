import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  pageSchema,
  queryFlag,
  queryList,
  queryTime,
  searchedOrderedPageQuery,
  unixSeconds,
} from "../../schema";
import { markUnversioned, withVersion } from "../../version";
import { heldRoleIds, roleRefusals } from "./roles";

const id = z.string().check(z.minLength(1));

/** What is done to every named member. Roles are named by their ids, or by words such as `owner` and `viewer`. */
const userAction = z.discriminatedUnion("type", [
  /** Takes the place of all roles that they hold in the organization directly. */
  z.strictObject({ type: z.literal("set_role"), role_id: id }),
  /** Takes the place of all roles that they hold in the project directly. */
  z.strictObject({ type: z.literal("set_project_role"), project_id: id, role_id: id }),
  z.strictObject({ type: z.literal("leave_project"), project_id: id }),
  z.strictObject({ type: z.literal("join_group"), group_id: id }),
  z.strictObject({ type: z.literal("leave_group"), group_id: id }),
  z.strictObject({ type: z.literal("remove") }),
]);
export type UserAction = z.output<typeof userAction>;

export const userChanges = z.strictObject({
  user_ids: z
    .array(id)
    .check(
      z.minLength(1, "must name at least one member"),
      z.maxLength(1000, "must name at most 1,000 members"),
    ),
  action: userAction,
});
export type UserChanges = z.output<typeof userChanges>;

/** What a change does to a member. */
const changedUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether anything is changed for them: false for somebody who is in the group already. */
  is_changed: z.boolean(),
  /** The permissions that they gain and lose, in the project that it is about or anywhere. */
  gains: z.array(z.string()),
  loses: z.array(z.string()),
});

const userChangesPreview = z.object({
  object: z.literal("user_changes.preview"),
  members: z.array(changedUser),
  refused: roleRefusals,
  /** Why the change would be refused, and because of which member; null if it wouldn't. */
  refusal: z.nullable(z.object({ code: z.string(), message: z.string(), user_id: z.nullable(z.string()) })),
});
export type UserChangesPreview = z.output<typeof userChangesPreview>;

export const userChangesOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization", permission: "api.users.write" },
  {
    changeUsers: {
      method: "POST",
      effect: "acts",
      path: "/organization/user_changes",
      summary:
        "Does one thing to up to 1,000 members: all or none. Groups and projects need the permissions that one member would.",
      body: userChanges,
      reply: z.object({ object: z.literal("user_changes"), members: z.array(changedUser) }),
    },
    previewUserChanges: {
      method: "POST",
      effect: "acts",
      path: "/organization/user_changes/preview",
      summary:
        "Says what a change of many members would do to each, and what of the last days it would have refused. Changes nothing.",
      body: userChanges,
      reply: userChangesPreview,
    },
  },
);

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
    /** Whether a directory keeps the member over SCIM. */
    is_scim_managed: z.boolean(),
    /** Since when the directory lets them do nothing; null for an active member. */
    deactivated_at: z.nullable(unixSeconds),
    /** Whether they confirm a sign-in by a second factor. Not in the replies of role assignments. */
    two_factor: markUnversioned(z.optional(z.boolean())),
    /** Null for a member who never signed in. Not in the replies of role assignments. */
    last_signed_in_at: markUnversioned(z.optional(z.nullable(unixSeconds))),
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

const listQuery = z.extend(searchedOrderedPageQuery, {
  emails: z.optional(queryList),
  /** A role held in the organization, directly or through a group: its id, or a word such as `owner`. */
  role_id: z.optional(z.string()),
  group_id: z.optional(z.string()),
  two_factor: z.optional(queryFlag),
  /** Members whom a directory deactivated, or the others. */
  deactivated: z.optional(queryFlag),
  /** Members without a sign-in since then, also those who never signed in. */
  not_signed_in_since: z.optional(queryTime),
});

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
      summary:
        "Lists the organization's members, oldest first: all, or those who fit the search and the filters.",
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
