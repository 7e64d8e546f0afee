import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import { displayName, nextPageSchema, searchedOrderedPageQuery, unixSeconds } from "../../schema";
import { withVersion } from "../../version";

const groupUser = z.object({ id: z.string(), name: z.string(), email: z.string() });
export type GroupUser = z.output<typeof groupUser>;

/** The details of a group's member. */
const groupUserDetails = withVersion(
  z.extend(groupUser, {
    is_service_account: z.literal(false),
    picture: z.null(),
    user_type: z.literal("user"),
  }),
);

const groupUserDraft = z.strictObject({ user_id: z.string().check(z.minLength(1)) });
const addedUser = z.object({ object: z.literal("group.user"), group_id: z.string(), user_id: z.string() });
const removedUser = z.object({ object: z.literal("group.user.deleted"), deleted: z.literal(true) });

export const groupUserOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listGroupUsers: {
      method: "GET",
      path: "/organization/groups/{group_id}/users",
      permission: "api.groups.read",
      summary: "Lists who is in a group, oldest members first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(groupUser),
    },
    addGroupUser: {
      method: "POST",
      effect: "creates",
      path: "/organization/groups/{group_id}/users",
      permission: "api.groups.write",
      summary:
        "Adds a member to a group, and so gives what the group holds. Nobody gives more than they hold.",
      body: groupUserDraft,
      reply: addedUser,
    },
    retrieveGroupUser: {
      method: "GET",
      path: "/organization/groups/{group_id}/users/{user_id}",
      permission: "api.groups.read",
      summary: "Returns one member of a group.",
      reply: groupUserDetails,
    },
    removeGroupUser: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/groups/{group_id}/users/{user_id}",
      permission: "api.groups.write",
      summary: "Takes a member out of a group. The last owner stays.",
      reply: removedUser,
    },
  },
);

/** A group of members with common roles, after OpenAI's group. */
const group = withVersion(
  z.object({
    id: z.string(),
    name: z.string(),
    group_type: z.literal("group"),
    /** Whether a directory decides its name and who is in it. */
    is_scim_managed: z.boolean(),
    created_at: unixSeconds,
  }),
);
export type Group = z.output<typeof group>;

/** A group as a part of other replies. */
export const groupReference = z.object({
  object: z.literal("group"),
  id: z.string(),
  name: z.string(),
  scim_managed: z.boolean(),
  created_at: unixSeconds,
});
export type GroupReference = z.output<typeof groupReference>;

export const groupDraft = z.strictObject({ name: displayName });
export type GroupDraft = z.output<typeof groupDraft>;

const groupChange = z.strictObject({
  name: z.optional(displayName),
  /** Takes the group from the directory, until that changes it again. */
  is_scim_managed: z.optional(z.literal(false)),
});
export type GroupChange = z.output<typeof groupChange>;

const deletedGroup = z.object({
  object: z.literal("group.deleted"),
  id: z.string(),
  deleted: z.literal(true),
});

export const groupOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    listGroups: {
      method: "GET",
      path: "/organization/groups",
      permission: "api.groups.read",
      summary: "Lists the organization's groups, oldest first.",
      query: searchedOrderedPageQuery,
      reply: nextPageSchema(group),
    },
    createGroup: {
      method: "POST",
      effect: "creates",
      path: "/organization/groups",
      permission: "api.groups.write",
      summary: "Creates a group. Its name is unique within the organization.",
      body: groupDraft,
      reply: group,
    },
    retrieveGroup: {
      method: "GET",
      path: "/organization/groups/{group_id}",
      permission: "api.groups.read",
      summary: "Returns one group.",
      reply: group,
    },
    changeGroup: {
      method: "POST",
      effect: "edits",
      path: "/organization/groups/{group_id}",
      permission: "api.groups.write",
      summary: "Renames a group, or takes it from the directory that keeps it.",
      body: groupChange,
      reply: group,
    },
    deleteGroup: {
      method: "DELETE",
      effect: "deletes",
      path: "/organization/groups/{group_id}",
      permission: "api.groups.write",
      summary: "Deletes a group: what its members held through it ends at once.",
      reply: deletedGroup,
    },
  },
);
